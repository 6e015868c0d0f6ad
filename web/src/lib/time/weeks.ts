/** `firstDay` is an index of `Date.getDay`. Returns midnight in the time zone of the browser. */
export function startOfWeek(date: Date, firstDay: number): Date {
  return plusDays(date, -((date.getDay() - firstDay + 7) % 7));
}

/** Adds days of the calendar, which may have 23 or 25 hours, and returns the start of the day. */
export function plusDays(date: Date, days: number): Date {
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days);
}
