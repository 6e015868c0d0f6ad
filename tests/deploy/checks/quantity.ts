const UNITS: Readonly<Record<string, number>> = { '': 1, m: 0.001, Ki: 2 ** 10, Mi: 2 ** 20, Gi: 2 ** 30, Ti: 2 ** 40 };

/** Parses a Kubernetes quantity: cores or bytes. */
export const amount = (quantity: string | number = 0): number => {
  const [, value, unit = ''] = /^([\d.]+)(m|[KMGT]i)?$/.exec(String(quantity)) ?? [];
  if (value === undefined) throw new Error(`Unsupported quantity: ${quantity}`);
  return Number(value) * (UNITS[unit] ?? Number.NaN);
};
