/** 29 February becomes 1 March. */
export function addOneYear(at: Date): Date {
  const later = new Date(at);
  later.setUTCFullYear(at.getUTCFullYear() + 1);
  return later;
}
