/** The last day of a series, YYYY-MM-DD. Given as a moment it is the day on which that falls in the meeting's zone (decisions, section 5). */
export async function toLastDay(given: string | null, timezone: string): Promise<string | null> {
  if (given === null || given.length === 'YYYY-MM-DD'.length) return given;
  const { localDay } = await import('../series/recurrence.ts');
  return localDay(new Date(given), timezone);
}
