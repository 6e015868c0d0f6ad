import type { Change } from '@atrium/proto-events/realtime';
import type { Counts } from './written-change.ts';

/** What a change or a message of a frame is called in receipts. */
export type ReceivedChange = {
  key: string;
  /** `resource:id`, whose later versions include earlier ones. */
  resource: string;
  version: number;
  tags: readonly string[];
  isPrivate: boolean;
  /** Whether no later version includes it: creations, deletions, counts, and messages. */
  isFinal: boolean;
  counts?: Counts;
};

/** A frame that many clients receive, parsed once. */
export type Frame = {
  event: string;
  // The contract defines the payload of each event.
  payload: unknown;
  received: readonly ReceivedChange[];
  firstAt: number;
  receivers: number[];
  text: string;
};

/** Sent to users, and not to the subscribers of a tag: members of a group receive different ones. */
const PRIVATE_RESOURCES: readonly Change['resource'][] = ['meeting', 'conversation', 'message', 'document', 'room'];

export const isPrivate = ({ resource, tags }: Pick<Change, 'resource' | 'tags'>): boolean =>
  PRIVATE_RESOURCES.includes(resource) || tags.includes('own-projects');

function toReceived(change: Change, position: string): ReceivedChange {
  const { resource, id, action, version, tags, item } = change;
  const common = { tags, isPrivate: isPrivate(change) };
  if (resource === 'message') {
    const name = `announced:${id}`;
    return { ...common, key: `${name}:${version}`, resource: name, version, isFinal: true };
  }
  const name = `${resource}:${id}`;
  if (resource === 'project-counts')
    return { ...common, key: `${name}:${position}`, resource: name, version, isFinal: true, counts: item as Counts };
  const isFinal = action !== 'updated';
  return { ...common, key: `${name}:${isFinal ? action : version}`, resource: name, version, isFinal };
}

type MessagePayload = { message: { conversation: string; seq: number } };

const toReceivedMessage = ({ message: { conversation, seq } }: MessagePayload): ReceivedChange => ({
  key: `message:${conversation}:${seq}`,
  resource: `message:${conversation}`,
  version: seq,
  tags: [`open:${conversation}`],
  isPrivate: false,
  isFinal: true,
});

/** Returns what a browser learns from an event. */
export function listReceived(event: string, payload: unknown): ReceivedChange[] {
  if (event === 'changed') {
    const { changes, position } = payload as { changes: Change[]; position: string };
    return changes.map((change) => toReceived(change, position));
  }
  return event === 'message:new' ? [toReceivedMessage(payload as MessagePayload)] : [];
}

export type Frames = {
  /** Returns the frame of a packet such as `42/live,["changed",{…}]`, given as Latin-1. */
  receive(packet: string, client: number, at: number): Frame;
  all(): readonly Frame[];
  clear(): void;
};

/** Keeps each distinct frame once, because thousands of clients receive the same. */
export function createFrames(): Frames {
  const frames = new Map<string, Frame>();
  const parse = (packet: string, firstAt: number): Frame => {
    const text = Buffer.from(packet.slice(packet.indexOf('[')), 'latin1').toString();
    const [event, payload] = JSON.parse(text) as [string, unknown];
    return { event, payload, received: listReceived(event, payload), firstAt, receivers: [], text };
  };
  return {
    receive(packet, client, at) {
      let frame = frames.get(packet);
      if (!frame) {
        frame = parse(packet, at);
        frames.set(packet, frame);
      }
      frame.receivers.push(client);
      return frame;
    },
    all: () => [...frames.values()],
    clear: () => frames.clear(),
  };
}
