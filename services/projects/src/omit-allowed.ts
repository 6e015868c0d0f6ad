export function omitAllowed<T extends Record<string, string | undefined>>(given: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(given).filter(([, reason]) => reason !== undefined)) as {
    [K in keyof T]?: string;
  };
}
