/** Whether it reads like the id of a resource (decisions, section 1); what an address holds may be anything. */
export function isId(text: string): boolean {
  return /^[0-9a-f]{24}$/.test(text);
}
