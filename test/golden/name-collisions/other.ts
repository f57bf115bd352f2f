export interface Item {
  there: number;
}
export default interface Local {
  local: boolean;
}
