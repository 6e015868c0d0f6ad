import type { ScreenName } from '../screens.ts';
import type { ReceivedChange } from './frames.ts';

const MAX_CHANGES = 1 << 16;

export type Receipt = { change: ReceivedChange; id: number; times: Partial<Record<ScreenName, number[]>> };

export type Receipts = {
  record(client: number, screen: ScreenName, received: readonly ReceivedChange[], at: number): void;
  has(client: number, key: string): boolean;
  find(key: string): Receipt | undefined;
  all(): readonly Receipt[];
  clear(): void;
};

/** Records which client received which change, and when first. */
export function createReceipts(clients: number): Receipts {
  const receipts = new Map<string, Receipt>();
  const bits = Array.from({ length: clients }, () => new Uint32Array(MAX_CHANGES / 32));
  const receiptOf = (change: ReceivedChange): Receipt => {
    let receipt = receipts.get(change.key);
    if (!receipt) {
      if (receipts.size === MAX_CHANGES) throw new Error('Too many changes to record');
      receipt = { change, id: receipts.size, times: {} };
      receipts.set(change.key, receipt);
    }
    return receipt;
  };
  const isSet = (client: number, id: number) => (((bits[client]?.[id >> 5] ?? 0) >> (id & 31)) & 1) === 1;
  return {
    record(client, screen, received, at) {
      const own = bits[client];
      if (!own) return;
      for (const change of received) {
        const { id, times } = receiptOf(change);
        if (isSet(client, id)) continue;
        own[id >> 5] = (own[id >> 5] ?? 0) | (1 << (id & 31));
        const screenTimes = times[screen];
        if (screenTimes) screenTimes.push(at);
        else times[screen] = [at];
      }
    },
    has(client, key) {
      const receipt = receipts.get(key);
      return receipt !== undefined && isSet(client, receipt.id);
    },
    find: (key) => receipts.get(key),
    all: () => [...receipts.values()],
    clear() {
      receipts.clear();
      for (const own of bits) own.fill(0);
    },
  };
}
