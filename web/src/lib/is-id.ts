/** Whether the text has the form of a resource id. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}
