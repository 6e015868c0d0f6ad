import { type Day, dateOfDay } from '#lib/time/day.ts';
import { dayAfter } from './shown-range.ts';
import { MINUTE_MS, type Span } from './span.ts';

/**
 * The time axis shared by the columns of a day or week, in rows of half an hour of local time. When clocks go back, the
 * repeated half hours get extra rows, which are empty on other days; when clocks go forward, a day lacks some rows. So an
 * hour has the same height on every day, and later times are always below earlier ones.
 */
export type Axis = { rows: readonly AxisRow[]; days: readonly AxisDay[] };

/** `minutes` of local time since midnight; `repeat` is 1 for the second occurrence of a repeated time. */
type AxisRow = { minutes: number; repeat: number };

/** A day with the axis position of each of its half hours; the number varies. */
export type AxisDay = Span & { day: Day; positions: readonly number[] };

/** All current zones are offset from UTC by multiples of 15 minutes and change by half hours or hours. */
export const ROW_MS = 30 * MINUTE_MS;
const ROW_MINUTES = 30;
const ROWS = 48;

export type Clock = {
  startOf: (day: Day) => number;
  /** The local time of an instant, in minutes since midnight. */
  minutesAt: (at: number) => number;
};

const LOCAL_CLOCK: Clock = {
  startOf: (day) => dateOfDay(day)?.getTime() ?? Number.NaN,
  minutesAt(at) {
    const date = new Date(at);
    return date.getHours() * 60 + date.getMinutes();
  },
};

export function createAxis(days: readonly Day[], clock: Clock = LOCAL_CLOCK): Axis {
  const halfHoursByDay = days.map((day) => listHalfHours(day, clock));
  const repeated = [
    ...new Set(halfHoursByDay.flatMap(({ rows }) => rows.filter(({ repeat }) => repeat > 0).map(toRowId))),
  ]
    .map(fromRowId)
    .sort((a, b) => a.minutes - b.minutes);
  const rows = withRepeated(
    Array.from({ length: ROWS }, (_, index) => ({ minutes: index * ROW_MINUTES, repeat: 0 })),
    repeated,
  );
  const positions = new Map(rows.map((row, position) => [toRowId(row), position]));
  return {
    rows,
    days: halfHoursByDay.map(({ rows: dayRows, ...day }) => ({
      ...day,
      positions: dayRows.map((row) => positions.get(toRowId(row)) ?? 0),
    })),
  };
}

function listHalfHours(day: Day, clock: Clock): Span & { day: Day; rows: AxisRow[] } {
  const { start, end } = getDayBounds(day, clock);
  const rows: AxisRow[] = [];
  for (let at = start; at < end; at += ROW_MS) {
    const minutes = Math.floor(clock.minutesAt(at) / ROW_MINUTES) * ROW_MINUTES;
    rows.push({ minutes, repeat: rows.filter((row) => row.minutes === minutes).length });
  }
  return { day, start, end, rows };
}

/** Returns the time from midnight to midnight, which is 23 to 25 hours. */
export const getDayBounds = (day: Day, clock: Clock = LOCAL_CLOCK): Span => ({
  start: clock.startOf(day),
  end: clock.startOf(dayAfter(day)),
});

const toRowId = ({ minutes, repeat }: AxisRow) => minutes + repeat * 10_000;
const fromRowId = (id: number): AxisRow => ({ minutes: id % 10_000, repeat: Math.floor(id / 10_000) });

/** Inserts repeated rows after the last of the rows they repeat. */
function withRepeated(rows: AxisRow[], repeated: readonly AxisRow[]): AxisRow[] {
  const result = [...rows];
  let block: AxisRow[] = [];
  for (const [index, row] of repeated.entries()) {
    block.push(row);
    const next = repeated[index + 1];
    if (next?.minutes === row.minutes + ROW_MINUTES && next.repeat === row.repeat) continue;
    const last = result.findIndex(({ minutes, repeat }) => minutes === row.minutes && repeat === row.repeat - 1);
    result.splice(last + 1, 0, ...block);
    block = [];
  }
  return result;
}

/** Returns the position of an instant on the axis, in rows from the top. */
export function getPosition({ start, positions }: AxisDay, at: number): number {
  const row = Math.min(Math.max(0, Math.floor((at - start) / ROW_MS)), positions.length - 1);
  return (positions[row] ?? 0) + (at - start) / ROW_MS - row;
}

/** Returns the position of an event's end: the bottom of the last row it occupies. */
export const positionOfEnd = (day: AxisDay, at: number): number => getPosition(day, at - 1) + 1 / ROW_MS;

/** Returns the instant at a position of the axis; if the day lacks it, the next existing one. */
export function instantAt({ start, end, positions }: AxisDay, position: number): number {
  const row = positions.findIndex((rowPosition) => rowPosition + 1 > position);
  if (row === -1) return end;
  return start + (row + Math.max(0, position - (positions[row] ?? 0))) * ROW_MS;
}

export function findGaps({ rows }: Axis, { positions }: AxisDay): Span[] {
  const gaps: Span[] = [];
  const dayPositions = new Set(positions);
  for (let position = 0; position < rows.length; position += 1) {
    if (dayPositions.has(position)) continue;
    const last = gaps.at(-1);
    if (last?.end === position) last.end = position + 1;
    else gaps.push({ start: position, end: position + 1 });
  }
  return gaps;
}
