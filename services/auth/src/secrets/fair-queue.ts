/** Network and address are the same for IPv4. */
type QueueClient = { network: string; address: string };

export type FairQueue<T> = {
  readonly size: number;
  /** Returns the item that was dropped because the queue is full, if any. */
  push(client: QueueClient, item: T): T | undefined;
  /** Alternates between networks, and between addresses within a network. */
  shift(): T | undefined;
};

/**
 * A bounded queue that serves networks and their addresses in turn. When full, it drops the newest item of the address
 * with the most items in the network with the most items.
 */
export function createFairQueue<T>(capacity: number): FairQueue<T> {
  const networks = new Map<string, Map<string, T[]>>();
  let size = 0;

  const remove = (network: string, address: string, removeFrom: (items: T[]) => T | undefined): T | undefined => {
    const addresses = networks.get(network);
    const items = addresses?.get(address);
    if (!addresses || !items) return undefined;
    const item = removeFrom(items);
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
      const [busiestNetwork, itemsByAddress] = findLargest(networks, countItems);
      const [busiestAddress] = findLargest(itemsByAddress, ({ length }) => length);
      return remove(busiestNetwork, busiestAddress, (items) => items.pop());
    },
    shift() {
      const [firstNetwork] = networks;
      if (!firstNetwork) return undefined;
      const [network, addresses] = firstNetwork;
      const [address] = addresses.keys();
      if (address === undefined) return undefined;
      const item = remove(network, address, (items) => items.shift());
      moveToEnd(addresses, address);
      moveToEnd(networks, network);
      return item;
    },
  };
}

const countItems = (addresses: Map<string, unknown[]>) =>
  [...addresses.values()].reduce((sum, { length }) => sum + length, 0);

/** Returns the last of several equally large entries, so that among equals the latest is dropped. */
function findLargest<V>(map: Map<string, V>, sizeOf: (value: V) => number): [string, V] {
  return [...map].reduce((largest, entry) => (sizeOf(entry[1]) >= sizeOf(largest[1]) ? entry : largest));
}

function moveToEnd<V>(map: Map<string, V>, key: string): void {
  const value = map.get(key);
  if (value === undefined) return;
  map.delete(key);
  map.set(key, value);
}
