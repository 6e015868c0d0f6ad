/** For IPv4, network and address are the same. */
type QueueOrigin = { network: string; address: string };

export type FairQueue<T> = {
  readonly size: number;
  push(origin: QueueOrigin, item: T): T | undefined;
  /** Alternates between networks, and between addresses within a network. */
  shift(): T | undefined;
};

/**
 * A bounded queue that serves networks and their addresses in turn. When full, it drops the newest item of the address with the most items
 * in the network with the most items.
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

/** The last of several equally large entries, so that among equals the latest is dropped. */
function largest<V>(map: Map<string, V>, sizeOf: (value: V) => number): [string, V] {
  return [...map].reduce((best, entry) => (sizeOf(entry[1]) >= sizeOf(best[1]) ? entry : best));
}

function moveToEnd<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
