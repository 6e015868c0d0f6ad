import { createMeetingBody, type Meeting, updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import type { DirectoryUser } from '@atrium/proto-events/people';
import {
  DEFAULT_RECURRENCE,
  dayInZone,
  MONTHLY_ON,
  type Recurrence,
  WEEKDAYS,
  weekdayOf,
} from '@atrium/proto-events/recurrence';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/people';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { CalendarClient, type Shown } from './calendar-client.ts';
import type { CalendarTeam, Scope } from './calendar-team.ts';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'Pacific/Auckland'];
const FREQUENCIES = ['daily', 'weekly', 'monthly'] as const;
const SCOPES: readonly Scope[] = ['this', 'following', 'all'];
const STATUSES = ['accepted', 'declined', 'tentative'] as const;
const PARTSTAT = {
  pending: 'NEEDS-ACTION',
  accepted: 'ACCEPTED',
  declined: 'DECLINED',
  tentative: 'TENTATIVE',
} as const;
const HALF_HOUR = 30 * 60_000;
const DAY = 24 * 60 * 60_000;
/** Lists contain endless series for 12 months; calendars are compared up to here. */
const HORIZON_DAYS = 330;
/**
 * If the team supports it, series are extended this far at first, and further after each step. Calendars already show these dates, and no
 * emails are sent. No single one of these dates is changed or answered.
 */
const FIRST_DAYS = 120;
const DAYS_PER_STEP = 14;
/** The share of changes that are followed by another one immediately. */
const BURST_SHARE = 0.4;

export type Outcome = {
  steps: string[];
  rejected: number;
  emails: { to: string; text: string }[];
  feeds: string[];
  difference: string | null;
};

/** A history of a team of five, determined by its seed. Ends with the first step after which a calendar differs from the list. */
export async function runHistory(team: CalendarTeam, seed: number, length: number): Promise<Outcome> {
  const history = new History(team, seed);
  try {
    await history.step('schedule');
    for (let step = 1; step < length && history.outcome.difference === null; step += 1) await history.step();
    await history.deliver();
    await history.shuffle();
    await history.subscribe();
  } catch (error) {
    history.outcome.difference = error instanceof Error ? (error.stack ?? error.message).slice(0, 600) : String(error);
  }
  return history.outcome;
}

type UpdatedMeetings = Map<string, { uid: string; originalStart: number | null }[]>;

class History {
  readonly outcome: Outcome = { steps: [], rejected: 0, emails: [], feeds: [], difference: null };
  readonly #team: CalendarTeam;
  readonly #random: () => number;
  readonly #organizer: DirectoryUser;
  readonly #guests: DirectoryUser[];
  readonly #clients = new Map<string, CalendarClient>();
  readonly #horizon = new Date(Date.now() + HORIZON_DAYS * DAY);
  #filledDays = 0;
  /** Changes since the last delivery. */
  #changes = 0;

  constructor(team: CalendarTeam, seed: number) {
    this.#team = team;
    this.#random = createSeededRandom(seed);
    const email = () => `${newId()}@example.org`;
    this.#organizer = buildUser({ email: email(), role: 'project_manager', timezone: this.#pick(ZONES) });
    this.#guests = Array.from({ length: 4 }, () => buildUser({ email: email(), timezone: this.#pick(ZONES) }));
    for (const person of [this.#organizer, ...this.#guests]) team.know(person);
    for (const { _id, email } of this.#guests) this.#clients.set(_id, new CalendarClient(email));
  }

  async step(only?: 'schedule'): Promise<void> {
    const kind =
      only ?? this.#pick(['schedule', 'edit', 'edit', 'edit', 'edit', 'respond', 'respond', 'cancel'] as const);
    // Users respond to what their calendar shows.
    if (kind === 'respond') await this.deliver();
    this.#changes += 1;
    try {
      await this.#perform(kind);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.outcome.rejected += 1;
      this.outcome.steps.push(`  rejected: ${error.message}`);
    }
    if (this.#team.mergesEmails && kind !== 'respond' && this.#random() < BURST_SHARE) return;
    await this.deliver();
    await this.#advanceTime();
  }

  /** Advances time: dates are added to endless series. */
  async #advanceTime(): Promise<void> {
    if (!this.#team.fillAhead) return;
    this.#filledDays = FIRST_DAYS + this.outcome.steps.length * DAYS_PER_STEP;
    await this.#team.fillAhead(this.#filledDays);
    for (const guest of this.#guests) this.outcome.difference ??= await this.#compare(guest, []);
  }

  /** The end of the compared period. */
  get #compared(): Date {
    return new Date(this.#horizon.getTime() + this.#filledDays * DAY);
  }

  /** The meetings must be the same whatever the order of the emails, thanks to revisions. */
  async shuffle(): Promise<void> {
    for (const guest of this.#guests) {
      if (this.outcome.difference !== null) return;
      const emails = this.outcome.emails.filter(({ to }) => to === guest.email);
      const ordered = emails.map((mail) => ({ mail, by: this.#random() })).toSorted((a, b) => a.by - b.by);
      const client = new CalendarClient(guest.email);
      for (const { mail } of ordered) client.take(mail.text);
      const meetings = await this.#near(guest, this.#compared);
      const toLine = ({ start, end, title }: Pick<Shown, 'start' | 'end' | 'title'>) => [start, end, title].join(' ');
      const inCalendar = client.show(this.#compared).map(toLine).toSorted();
      const inList = meetings.map((one) => toLine(asShown(one, guest))).toSorted();
      if (inCalendar.join() === inList.join()) continue;
      this.outcome.difference = `in another order ${this.#describeDifference(guest, inCalendar, inList)}`;
    }
  }

  /** A subscribed calendar, of a guest or of the organizer, must have the same meetings and RSVPs as one that received every email. */
  async subscribe(): Promise<void> {
    for (const person of [this.#organizer, ...this.#guests]) {
      if (this.outcome.difference !== null) return;
      const text = await this.#team.feed(person);
      this.outcome.feeds.push(text);
      const client = new CalendarClient(person.email);
      client.subscribe(text, { isOwner: person === this.#organizer });
      const inCalendar = client.show(FAR_FUTURE).map(feedLine).toSorted();
      const meetings = await this.#team.list(person);
      const inList = meetings.map((one) => feedLine({ ...asShown(one, person), answers: answersOf(one) })).toSorted();
      if (inCalendar.join('\n') === inList.join('\n')) continue;
      this.outcome.difference = `subscribed ${this.#describeDifference(person, inCalendar, inList)}`;
    }
  }

  async #near(person: DirectoryUser, before = this.#horizon): Promise<Meeting[]> {
    const meetings = await this.#team.list(person);
    return meetings.filter(({ startTime }) => Date.parse(startTime) < before.getTime());
  }

  #perform(kind: 'schedule' | 'edit' | 'respond' | 'cancel'): Promise<void> {
    if (kind === 'schedule') return this.#schedule();
    if (kind === 'edit') return this.#edit();
    return kind === 'respond' ? this.#respond() : this.#cancel();
  }

  #pick<T>(from: readonly T[]): T {
    const chosen = from[Math.floor(this.#random() * from.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  }

  #randomInt(from: number, to: number): number {
    return from + Math.floor(this.#random() * (to - from + 1));
  }

  #isLikely(share: number): boolean {
    return this.#random() < share;
  }

  #people(): string[] {
    return this.#guests.filter(() => this.#isLikely(0.6)).map(({ _id }) => _id);
  }

  /** Within the next 300 days, on a half-hour grid; often at night, when clocks change. */
  #randomTime(): number {
    const day = Math.ceil(Date.now() / DAY) + this.#randomInt(2, 250);
    return day * DAY + this.#randomInt(0, 47) * HALF_HOUR;
  }

  /** If the zone's clocks go back soon, one of the two times that have the same local time. */
  #randomTimeIn(timezone: string): number {
    const change = this.#isLikely(0.15) ? clocksGoBack(timezone) : undefined;
    return change === undefined ? this.#randomTime() : change + this.#randomInt(-3, 2) * (HALF_HOUR / 2);
  }

  async #schedule(): Promise<void> {
    const timezone = this.#pick(ZONES);
    const start = this.#randomTimeIn(timezone);
    const isRecurring = this.#isLikely(0.75);
    const body = createMeetingBody.parse({
      title: `Plan ${this.#randomInt(1, 99)}`,
      type: 'standup',
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + this.#randomInt(1, 4) * HALF_HOUR).toISOString(),
      timezone,
      meetingLink: 'https://meet.example.org/plan',
      participants: [this.#pick(this.#guests)._id, ...this.#people()],
      isRecurring,
      ...(isRecurring && this.#rule(start, timezone)),
    });
    this.#record(`schedule ${describe(body)}`);
    await this.#team.create(this.#organizer, body);
  }

  #rule(start: number, timezone: string) {
    const recurringFrequency = this.#pick(FREQUENCIES);
    const recurrence = this.#isLikely(0.5) ? this.#recurrence(start, timezone) : DEFAULT_RECURRENCE;
    const periodDays = { daily: 1, weekly: 7, monthly: 31 }[recurringFrequency] * recurrence.interval;
    const days = this.#randomInt(1, 7) * periodDays;
    const isOpen = recurringFrequency !== 'daily' && this.#isLikely(0.15);
    const recurringEndDate = isOpen ? null : new Date(start + days * DAY).toISOString().slice(0, 10);
    return { recurringFrequency, recurrence, recurringEndDate };
  }

  /** Usually on a weekday that the start falls on. */
  #recurrence(start: number, timezone: string): Recurrence {
    const first = weekdayOf(dayInZone(new Date(start).toISOString(), timezone));
    const weekdays = WEEKDAYS.filter((one) => one === first || this.#isLikely(0.3));
    return { interval: this.#randomInt(1, 3), weekdays, monthlyOn: this.#pick(MONTHLY_ON) };
  }

  async #anyMeeting(person: DirectoryUser): Promise<Meeting | undefined> {
    const near = await this.#near(person);
    return near.length === 0 ? undefined : this.#pick(near);
  }

  async #edit(): Promise<void> {
    const meeting = await this.#anyMeeting(this.#organizer);
    if (!meeting) return;
    const scope = meeting.isRecurring ? this.#pick(SCOPES) : 'this';
    const given: Record<string, unknown> = {};
    const kinds = Array.from({ length: this.#randomInt(1, 2) }, () =>
      this.#pick(['title', 'time', 'time', 'people', 'people', 'length', 'zone', 'rule'] as const),
    );
    const [start, end] = [Date.parse(meeting.startTime), Date.parse(meeting.endTime)];
    for (const kind of kinds) {
      if (kind === 'title') given.title = `Plan ${this.#randomInt(1, 99)}`;
      if (kind === 'people') given.participants = this.#people();
      if (kind === 'zone') given.timezone = this.#pick(ZONES);
      if (kind === 'length') given.endTime = new Date(start + this.#randomInt(1, 5) * HALF_HOUR).toISOString();
      if (kind === 'time') {
        const by = this.#isLikely(0.5) ? this.#randomInt(-3, 3) * DAY : this.#randomInt(-20, 20) * HALF_HOUR;
        given.startTime = new Date(start + by).toISOString();
        given.endTime = new Date(end + by).toISOString();
      }
      if (kind === 'rule' && (scope !== 'this' || !meeting.isRecurring)) {
        Object.assign(given, this.#rule(start, meeting.timezone), !meeting.isRecurring && { isRecurring: true });
      }
    }
    if (Object.keys(given).length === 0) return;
    this.#record(`edit ${scope} of ${describe(meeting)}: ${JSON.stringify(this.#named(given))}`);
    const body = updateMeetingBody.safeParse(given);
    if (!body.success) return;
    const edited = await this.#team.change(this.#organizer, meeting._id, { scope, body: body.data });
    const expected = body.data.startTime ?? meeting.startTime;
    if (expected !== meeting.startTime && edited.startTime !== expected)
      throw new Error(`the edited meeting starts at ${edited.startTime} instead of ${expected}`);
  }

  async #respond(): Promise<void> {
    const person = this.#pick(this.#guests);
    const meeting = await this.#anyMeeting(person);
    if (!meeting) return;
    const scope = meeting.isRecurring ? this.#pick(SCOPES) : 'this';
    const status = this.#pick(STATUSES);
    const before = await this.#team.list(person);
    const client = this.#clients.get(person._id);
    const shown = client?.show(FAR_FUTURE) ?? [];
    const [clicked, ...twins] = shown.filter((one) => isSame(one, meeting));
    // Two meetings with the same time and title are indistinguishable.
    if (twins.length > 0) return;
    this.#record(`${this.#nameOf(person._id)} answers ${status} to ${scope} of ${describe(meeting)}`);
    await this.#team.respond(person, meeting._id, { scope, status });
    // RSVPs given in the app are not emailed to the user.
    if (!client || !clicked) throw new Error('A meeting was answered that the calendar does not show');
    const series = before.filter(({ seriesId }) => seriesId !== null && seriesId === meeting.seriesId);
    const ofSeries = shown.filter(({ uid }) => uid === clicked.uid && series.length > 0);
    const meant =
      scope === 'this'
        ? [clicked]
        : ofSeries.filter(({ originalStart }) => scope === 'all' || originalStart >= clicked.originalStart);
    client.answer(
      clicked.uid,
      meant.map(({ originalStart }) => originalStart),
      PARTSTAT[status],
    );
  }

  async #cancel(): Promise<void> {
    const meeting = await this.#anyMeeting(this.#organizer);
    if (!meeting) return;
    const scope = meeting.isRecurring ? this.#pick(SCOPES) : 'this';
    this.#record(`cancel ${scope} of ${describe(meeting)}`);
    await this.#team.cancel(this.#organizer, meeting._id, scope);
  }

  /** Compares every calendar with the list, once all emails have arrived. */
  async deliver(): Promise<void> {
    const updated: UpdatedMeetings = new Map();
    await this.#team.fillAhead?.(this.#filledDays);
    await this.#take(updated);
    // An email shows the other participants as of its own change (decision 81), so a burst has no common state to compare with.
    const isBurst = this.#changes > 1;
    this.#changes = 0;
    for (const guest of this.#guests) {
      const difference = await this.#compare(guest, isBurst ? [] : (updated.get(guest._id) ?? []));
      this.outcome.difference ??= difference;
    }
  }

  async #take(updated: UpdatedMeetings): Promise<void> {
    for (const { to, text } of await this.#team.emails(this.#guests)) {
      const client = this.#clients.get(to._id);
      if (!client) throw new Error('an email to a user who is not a guest');
      this.outcome.emails.push({ to: to.email, text });
      updated.set(to._id, [...(updated.get(to._id) ?? []), ...client.take(text)]);
    }
  }

  async #compare(
    guest: DirectoryUser,
    updated: readonly { uid: string; originalStart: number | null }[],
  ): Promise<string | null> {
    const shown = this.#clients.get(guest._id)?.show(this.#compared) ?? [];
    const meetings = await this.#near(guest, this.#compared);
    const inCalendar = shown.map((one) => line(one)).toSorted();
    const inList = meetings.map((one) => line(asShown(one, guest))).toSorted();
    if (inCalendar.join('\n') !== inList.join('\n')) return this.#describeDifference(guest, inCalendar, inList);
    // Meetings that an email has just updated must also show the other users' RSVPs.
    const fresh = shown.filter(({ uid, originalStart }) =>
      updated.some((one) => one.uid === uid && (one.originalStart === null || one.originalStart === originalStart)),
    );
    const isThere = (one: Shown) =>
      meetings.some((meeting) => isSame(one, meeting) && others(one.answers) === others(answersOf(meeting)));
    const wrong = fresh.find((one) => !isThere(one));
    return wrong ? `${this.#nameOf(guest._id)} received wrong RSVPs: ${line(wrong)} ${others(wrong.answers)}` : null;
  }

  #describeDifference(guest: DirectoryUser, inCalendar: readonly string[], inList: readonly string[]): string {
    const only = (one: readonly string[], other: readonly string[]) =>
      one.filter((text) => !other.includes(text)).slice(0, 4);
    const [calendar, list] = [only(inCalendar, inList), only(inList, inCalendar)];
    const sizes = `${inCalendar.length} in the calendar, ${inList.length} in the list`;
    return [
      `${this.#nameOf(guest._id)}: ${sizes}`,
      'only in the calendar:',
      ...calendar,
      'only in the list:',
      ...list,
    ].join('\n  ');
  }

  #nameOf(id: string): string {
    return `guest ${this.#guests.findIndex(({ _id }) => _id === id)}`;
  }

  #named(given: Record<string, unknown>) {
    if (!Array.isArray(given.participants)) return given;
    return { ...given, participants: given.participants.map((id) => this.#nameOf(String(id))) };
  }

  #record(step: string): void {
    this.outcome.steps.push(step);
  }
}

/** When the zone's clocks go back in the coming days, to the quarter of an hour. */
function clocksGoBack(timezone: string): number | undefined {
  const first = Math.ceil(Date.now() / DAY) * DAY;
  const goesBack = (from: number, length: number) => offsetAt(from, timezone) > offsetAt(from + length, timezone);
  const day = Array.from({ length: 250 }, (_, index) => first + index * DAY).find((from) => goesBack(from, DAY));
  if (day === undefined) return undefined;
  const quarter = HALF_HOUR / 2;
  const starts = Array.from({ length: DAY / quarter }, (_, index) => day + index * quarter);
  const before = starts.find((from) => goesBack(from, quarter));
  return before === undefined ? undefined : before + quarter;
}

/** Minutes east of UTC. */
function offsetAt(time: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' }).formatToParts(time);
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(parts.map(({ value }) => value).join('')) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

const FAR_FUTURE = new Date('2100-01-01');

const describe = ({
  title,
  startTime,
  timezone,
  recurringFrequency,
  recurringEndDate,
}: Pick<Meeting, 'title' | 'startTime' | 'recurringFrequency' | 'recurringEndDate'> & {
  timezone?: string | undefined;
}) => [title, startTime, timezone, recurringFrequency ?? 'once', recurringEndDate ?? ''].join(' ');

const answersOf = ({ participants, organizer }: Meeting): Record<string, string> =>
  Object.fromEntries(
    participants
      .filter(({ _id }) => _id !== organizer._id)
      .map((one) => [one.email?.toLowerCase() ?? one._id, PARTSTAT[one.responseStatus]]),
  );

const asShown = (meeting: Meeting, guest: DirectoryUser) => ({
  start: meeting.startTime,
  end: meeting.endTime,
  title: meeting.title,
  own: answersOf(meeting)[guest.email.toLowerCase()] ?? 'nobody',
});

const line = ({ start, end, title, own }: Pick<Shown, 'start' | 'end' | 'title' | 'own'>) =>
  [start, end, title, own].join(' ');

/** The organizer is not an attendee and has no RSVP. */
const feedLine = ({ start, end, title, answers: responses }: Omit<Shown, 'uid' | 'originalStart' | 'own'>) => {
  const given = Object.fromEntries(Object.entries(responses).filter(([, status]) => status !== ''));
  return [start, end, title, others(given)].join(' ');
};

const isSame = (one: Shown, { startTime, endTime, title }: Meeting) =>
  one.start === startTime && one.end === endTime && one.title === title;

const others = (responses: Record<string, string>) => JSON.stringify(Object.entries(responses).toSorted());
