/** Has no name. @tool */
export default (): void => {};
