/** Network Information API; unavailable in Firefox and Safari. */
export type Network = { saveData?: boolean; type?: string; effectiveType?: string };

const SLOW_TYPES = ['slow-2g', '2g', '3g'];

/** Whether each byte costs the user money or time, so that code is loaded on demand only. */
export function isMetered(network: Network | undefined = currentNetwork()): boolean {
  if (!network) return false;
  const { saveData = false, type, effectiveType = '' } = network;
  return saveData || type === 'cellular' || SLOW_TYPES.includes(effectiveType);
}

const currentNetwork = () => ('connection' in navigator ? (navigator.connection as Network | undefined) : undefined);
