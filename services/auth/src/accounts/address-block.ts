import ipaddr from 'ipaddr.js';

/** Whoever can send from one address of an IPv6 /64 can send from all of them, so that guesses from it count as one address's. */
export function addressBlock(address: string | null): string {
  if (address === null || !ipaddr.isValid(address)) return '';
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  return `${parsed.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`;
}
