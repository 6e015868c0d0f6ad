/** The same moment a year later; of a leap day the day after. */
export function addOneYear(at: Date): Date {
  const later = new Date(at);
  later.setUTCFullYear(at.getUTCFullYear() + 1);
  return later;
}
