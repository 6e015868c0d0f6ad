/** Where work comes from: a network, and the address in it. For IPv4 they are the same. */
export type QueueOrigin = { network: string; address: string };

export type FairQueue<T> = {
  readonly size: number;
  /** Puts an item in; returns the one that has to leave for it, which may be the item itself. */
  push(origin: QueueOrigin, item: T): T | undefined;
  /** Takes the next item: each network in turn, and in it each address. */
  shift(): T | undefined;
};

/**
 * A bounded queue that nobody fills for others: it serves networks and their addresses in turn, and when it is full the network that has
 * the most waiting, and in it the address that has, loses its newest.
 */
export function createFairQueue<T>(capacity: number): FairQueue<T> {
  const networks = new Map<string, Map<string, T[]>>();
  let size = 0;

  const remove = (network: string, address: string, take: (items: T[]) => T | undefined): T | undefined => {
    const addresses = networks.get(network);
    const items = addresses?.get(address);
    if (!addresses || !items) return undefined;
    const item = take(items);
    size -= 1;
    if (items.length === 0) addresses.delete(address);
    if (addresses.size === 0) networks.delete(network);
    return item;
  };

  return {
    get size() {
      return size;
    },
    push({ network, address }, item) {
      const addresses = networks.get(network) ?? new Map<string, T[]>();
      networks.set(network, addresses);
      addresses.set(address, [...(addresses.get(address) ?? []), item]);
      size += 1;
      if (size <= capacity) return undefined;
      const [busiest, ofBusiest] = largest(networks, countWaiting);
      const [crowded] = largest(ofBusiest, ({ length }) => length);
      return remove(busiest, crowded, (items) => items.pop());
    },
    shift() {
      const [first] = networks;
      const [next] = first?.[1] ?? [];
      if (!first || !next) return undefined;
      const item = remove(first[0], next[0], (items) => items.shift());
      moveToEnd(first[1], next[0]);
      moveToEnd(networks, first[0]);
      return item;
    },
  };
}

const countWaiting = (addresses: Map<string, unknown[]>) =>
  [...addresses.values()].reduce((sum, { length }) => sum + length, 0);

/** The last of the largest, so that of equals whoever came last has to leave. */
function largest<V>(map: Map<string, V>, sizeOf: (value: V) => number): [string, V] {
  return [...map].reduce((best, entry) => (sizeOf(entry[1]) >= sizeOf(best[1]) ? entry : best));
}

function moveToEnd<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
