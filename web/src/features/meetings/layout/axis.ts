import { type Day, dateOfDay } from '../../../lib/day.ts';
import { dayAfter } from './shown-range.ts';
import { MINUTE_MS, type Span } from './span.ts';

/**
 * The hours that the columns of a day or a week share. Each row is half an hour of the clock on the wall. A day on which the clocks go
 * back has some of its half hours twice, so the axis has a row more for each, which the other days leave empty; a day on which they go
 * forward lacks some. So an hour is as high on every day, and nothing that comes after another stands above it.
 */
export type Axis = { rows: readonly AxisRow[]; days: readonly AxisDay[] };

/** `minutes` of the clock since midnight; `turn` 1 where it shows them for the second time. */
type AxisRow = { minutes: number; turn: number };

/** A day with the place on the axis of each of its half hours; `length` of the day varies. */
export type AxisDay = Span & { day: Day; places: readonly number[] };

/** Every zone of today is off UTC by whole quarters of an hour, and changes by half hours or hours. */
export const ROW_MS = 30 * MINUTE_MS;
const ROW_MINUTES = 30;
const ROWS = 48;

/** A clock on the wall. */
export type Clock = {
  /** The first moment of a day. */
  beginningOf: (day: Day) => number;
  /** What it shows at a moment, in minutes since midnight. */
  minutesAt: (at: number) => number;
};

/** The one here. */
const HERE: Clock = {
  beginningOf: (day) => dateOfDay(day)?.getTime() ?? Number.NaN,
  minutesAt(at) {
    const date = new Date(at);
    return date.getHours() * 60 + date.getMinutes();
  },
};

export function axisOf(days: readonly Day[], clock: Clock = HERE): Axis {
  const all = days.map((day) => halfHoursOf(day, clock));
  const repeated = [...new Set(all.flatMap(({ rows }) => rows.filter(({ turn }) => turn > 0).map(idOf)))]
    .map(rowOf)
    .sort((one, other) => one.minutes - other.minutes);
  const rows = withRepeated(
    Array.from({ length: ROWS }, (_, index) => ({ minutes: index * ROW_MINUTES, turn: 0 })),
    repeated,
  );
  const places = new Map(rows.map((row, place) => [idOf(row), place]));
  return {
    rows,
    days: all.map(({ rows: own, ...day }) => ({ ...day, places: own.map((row) => places.get(idOf(row)) ?? 0) })),
  };
}

/** The half hours of a day in the order in which they pass. */
function halfHoursOf(day: Day, clock: Clock): Span & { day: Day; rows: AxisRow[] } {
  const { start, end } = boundsOf(day, clock);
  const rows: AxisRow[] = [];
  for (let at = start; at < end; at += ROW_MS) {
    const minutes = Math.floor(clock.minutesAt(at) / ROW_MINUTES) * ROW_MINUTES;
    rows.push({ minutes, turn: rows.filter((row) => row.minutes === minutes).length });
  }
  return { day, start, end, rows };
}

/** From midnight to midnight: 23 to 25 hours. */
export const boundsOf = (day: Day, clock: Clock = HERE): Span => ({
  start: clock.beginningOf(day),
  end: clock.beginningOf(dayAfter(day)),
});

const idOf = ({ minutes, turn }: AxisRow) => minutes + turn * 10_000;
const rowOf = (id: number): AxisRow => ({ minutes: id % 10_000, turn: Math.floor(id / 10_000) });

/** What comes twice in a row comes again behind the last of it. */
function withRepeated(rows: AxisRow[], repeated: readonly AxisRow[]): AxisRow[] {
  const result = [...rows];
  let block: AxisRow[] = [];
  for (const [index, row] of repeated.entries()) {
    block.push(row);
    const next = repeated[index + 1];
    if (next?.minutes === row.minutes + ROW_MINUTES && next.turn === row.turn) continue;
    const last = result.findIndex(({ minutes, turn }) => minutes === row.minutes && turn === row.turn - 1);
    result.splice(last + 1, 0, ...block);
    block = [];
  }
  return result;
}

/** Where on the axis a moment of a day stands, in rows from its top. */
export function placeOf({ start, places }: AxisDay, at: number): number {
  const row = Math.min(Math.max(0, Math.floor((at - start) / ROW_MS)), places.length - 1);
  return (places[row] ?? 0) + (at - start) / ROW_MS - row;
}

/** Where on the axis the end of something stands: at the foot of the last row that it takes. */
export const placeOfEnd = (day: AxisDay, at: number): number => placeOf(day, at - 1) + 1 / ROW_MS;

/** The moment of a day at a place of the axis; where the day lacks it, the next that it has. */
export function momentAt({ start, end, places }: AxisDay, place: number): number {
  const row = places.findIndex((own) => own + 1 > place);
  if (row === -1) return end;
  return start + (row + Math.max(0, place - (places[row] ?? 0))) * ROW_MS;
}

/** The rows that a day lacks, as stretches of the axis. */
export function gapsOf({ rows }: Axis, { places }: AxisDay): Span[] {
  const gaps: Span[] = [];
  const own = new Set(places);
  for (let place = 0; place < rows.length; place += 1) {
    if (own.has(place)) continue;
    const last = gaps.at(-1);
    if (last?.end === place) last.end = place + 1;
    else gaps.push({ start: place, end: place + 1 });
  }
  return gaps;
}
