export const browserTimeZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

export const cityOf = (timeZone: string): string => (timeZone.split('/').at(-1) ?? timeZone).replaceAll('_', ' ');

/** Whether two names mean the same zone, such as Europe/Kiev and Europe/Kyiv. */
export const isSameZone = (a: string, b: string): boolean => canonicalName(a) === canonicalName(b);

export const timeZones = (currentZone: string): string[] => [
  ...new Set([currentZone, ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')]),
];

function canonicalName(timeZone: string): string {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    return timeZone;
  }
}
