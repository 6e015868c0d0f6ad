import { writeFileSync } from 'node:fs';
import type { Frame } from './frames.ts';

/** The frames of a run, for a bare server that sends the same ones to the same sockets. */
export type Recording = {
  clients: number;
  /** The clients of each room. */
  rooms: number[][];
  frames: { atMs: number; room: number; event: string; payload: unknown }[];
};

export function saveRecording(
  file: string,
  frames: readonly Frame[],
  { clients, from }: { clients: number; from: number },
) {
  const roomIds = new Map<string, number>();
  const rooms: number[][] = [];
  const roomOf = (receivers: readonly number[]): number => {
    const members = [...receivers].sort((a, b) => a - b);
    const name = members.join();
    const known = roomIds.get(name);
    if (known !== undefined) return known;
    roomIds.set(name, rooms.length);
    rooms.push(members);
    return rooms.length - 1;
  };
  const recording: Recording = {
    clients,
    rooms,
    frames: frames
      .map(({ event, payload, firstAt, receivers }) => ({
        atMs: firstAt - from,
        room: roomOf(receivers),
        event,
        payload,
      }))
      .sort((a, b) => a.atMs - b.atMs),
  };
  writeFileSync(file, JSON.stringify(recording));
  return {
    frames: frames.reduce((sum, { receivers }) => sum + receivers.length, 0),
    bytes: frames.reduce((sum, { receivers, text }) => sum + receivers.length * text.length, 0),
    distinct: frames.length,
    rooms: rooms.length,
  };
}
