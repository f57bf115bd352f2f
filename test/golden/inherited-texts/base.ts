/** A place. */
export interface Place {
  /** The longitude. @minimum -180 @maximum 180 */
  longitude: number;
}
