import { createMeetingBody, type Meeting, updateMeetingBody } from '@atrium/proto-events/http/meetings/meeting-fields';
import type { DirectoryUser } from '@atrium/proto-events/people';
import {
  DEFAULT_RECURRENCE,
  getWeekday,
  MONTHLY_ON,
  type Recurrence,
  WEEKDAYS,
} from '@atrium/proto-events/recurrence/rule';
import { dayInZone } from '@atrium/proto-events/wall-clock';
import { AppError } from '@atrium/service-kit/errors/app-error';
import { newId } from '@atrium/service-kit/process/new-id';
import { buildUser } from '@atrium/test-kit/build-user';
import { createSeededRandom } from '@atrium/test-kit/seeded-random';
import { CalendarClient, type ShownMeeting } from './calendar-client.ts';
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
const HALF_HOUR_MS = 30 * 60_000;
const DAY_MS = 24 * 60 * 60_000;
/** The number of days for which calendars are compared. Lists contain endless series for 12 months. */
const HORIZON_DAYS = 330;
/**
 * If the team supports it, series are extended this far at first, and further after each step. Calendars already show
 * these occurrences, so no emails are sent. The history neither changes nor responds to these occurrences individually.
 */
const INITIAL_FILL_DAYS = 120;
const FILL_DAYS_PER_STEP = 14;
/** The share of changes that another change follows immediately. */
const BURST_SHARE = 0.4;

export type Outcome = {
  steps: string[];
  rejectedCount: number;
  emails: { to: string; text: string }[];
  feeds: string[];
  difference: string | null;
};

/**
 * Runs a random history of a team of five, which the seed determines. Stops at the first step that leaves a calendar
 * wrong.
 */
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

/** The meetings that emails have just updated, by user id. */
type UpdatedMeetings = Map<string, { uid: string; originalStart: number | null }[]>;

class History {
  readonly outcome: Outcome = { steps: [], rejectedCount: 0, emails: [], feeds: [], difference: null };
  readonly #team: CalendarTeam;
  readonly #random: () => number;
  readonly #organizer: DirectoryUser;
  readonly #guests: DirectoryUser[];
  readonly #clients = new Map<string, CalendarClient>();
  readonly #horizon = new Date(Date.now() + HORIZON_DAYS * DAY_MS);
  #filledDays = 0;
  /** The number of changes since the last delivery. */
  #changeCount = 0;

  constructor(team: CalendarTeam, seed: number) {
    this.#team = team;
    this.#random = createSeededRandom(seed);
    const email = () => `${newId()}@example.org`;
    this.#organizer = buildUser({ email: email(), role: 'project_manager', timezone: this.#pick(ZONES) });
    this.#guests = Array.from({ length: 4 }, () => buildUser({ email: email(), timezone: this.#pick(ZONES) }));
    for (const user of [this.#organizer, ...this.#guests]) team.addUser(user);
    for (const { _id, email } of this.#guests) this.#clients.set(_id, new CalendarClient(email));
  }

  async step(fixedKind?: 'schedule'): Promise<void> {
    const kind =
      fixedKind ?? this.#pick(['schedule', 'edit', 'edit', 'edit', 'edit', 'respond', 'respond', 'cancel'] as const);
    // Users respond to what their calendar shows.
    if (kind === 'respond') await this.deliver();
    this.#changeCount += 1;
    try {
      await this.#change(kind);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.outcome.rejectedCount += 1;
      this.outcome.steps.push(`  rejected: ${error.message}`);
    }
    if (this.#team.mergesEmails && kind !== 'respond' && this.#random() < BURST_SHARE) return;
    await this.deliver();
    await this.#advanceTime();
  }

  /** Advances time, which adds occurrences to endless series. */
  async #advanceTime(): Promise<void> {
    if (!this.#team.fillAhead) return;
    this.#filledDays = INITIAL_FILL_DAYS + this.outcome.steps.length * FILL_DAYS_PER_STEP;
    await this.#team.fillAhead(this.#filledDays);
    for (const guest of this.#guests) this.outcome.difference ??= await this.#compare(guest, []);
  }

  /** The end of the compared period. */
  get #comparedUntil(): Date {
    return new Date(this.#horizon.getTime() + this.#filledDays * DAY_MS);
  }

  /**
   * Checks that calendars are also right if emails arrive in random order, because the revision shows which one is newer.
   */
  async shuffle(): Promise<void> {
    for (const guest of this.#guests) {
      if (this.outcome.difference !== null) return;
      const emails = this.outcome.emails.filter(({ to }) => to === guest.email);
      const shuffled = emails.map((email) => ({ email, key: this.#random() })).toSorted((a, b) => a.key - b.key);
      const client = new CalendarClient(guest.email);
      for (const { email } of shuffled) client.receive(email.text);
      const meetings = await this.#listNear(guest, this.#comparedUntil);
      const toLine = ({ start, end, title }: Pick<ShownMeeting, 'start' | 'end' | 'title'>) =>
        [start, end, title].join(' ');
      const inCalendar = client.listMeetings(this.#comparedUntil).map(toLine).toSorted();
      const inList = meetings.map((meeting) => toLine(toShown(meeting, guest))).toSorted();
      if (inCalendar.join() === inList.join()) continue;
      this.outcome.difference = `in a different order ${this.#describeDifference(guest, inCalendar, inList)}`;
    }
  }

  /** Checks that the feed of each guest and of the organizer has the same meetings and RSVPs as the list. */
  async subscribe(): Promise<void> {
    for (const user of [this.#organizer, ...this.#guests]) {
      if (this.outcome.difference !== null) return;
      const text = await this.#team.feed(user);
      this.outcome.feeds.push(text);
      const client = new CalendarClient(user.email);
      client.subscribe(text, { isOwner: user === this.#organizer });
      const inCalendar = client.listMeetings(FAR_FUTURE).map(toFeedLine).toSorted();
      const meetings = await this.#team.list(user);
      const inList = meetings
        .map((meeting) => toFeedLine({ ...toShown(meeting, user), statuses: listStatuses(meeting) }))
        .toSorted();
      if (inCalendar.join('\n') === inList.join('\n')) continue;
      this.outcome.difference = `subscribed ${this.#describeDifference(user, inCalendar, inList)}`;
    }
  }

  async #listNear(user: DirectoryUser, before = this.#horizon): Promise<Meeting[]> {
    const meetings = await this.#team.list(user);
    return meetings.filter(({ startTime }) => Date.parse(startTime) < before.getTime());
  }

  #change(kind: 'schedule' | 'edit' | 'respond' | 'cancel'): Promise<void> {
    if (kind === 'schedule') return this.#schedule();
    if (kind === 'edit') return this.#edit();
    return kind === 'respond' ? this.#respond() : this.#cancel();
  }

  #pick<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.#random() * items.length)];
    if (item === undefined) throw new Error('Cannot pick from an empty list');
    return item;
  }

  #randomInt(min: number, max: number): number {
    return min + Math.floor(this.#random() * (max - min + 1));
  }

  #randomBoolean(probability: number): boolean {
    return this.#random() < probability;
  }

  #randomGuestIds(): string[] {
    return this.#guests.filter(() => this.#randomBoolean(0.6)).map(({ _id }) => _id);
  }

  /** Picks a time within the next 252 days, on a half-hour grid, including the nights in which clocks change. */
  #randomTime(): number {
    const day = Math.ceil(Date.now() / DAY_MS) + this.#randomInt(2, 250);
    return day * DAY_MS + this.#randomInt(0, 47) * HALF_HOUR_MS;
  }

  /** Picks a time. If the zone's clocks go back soon, this is sometimes one of two with the same local time. */
  #randomTimeIn(timezone: string): number {
    const change = this.#randomBoolean(0.15) ? findClockChange(timezone) : undefined;
    return change === undefined ? this.#randomTime() : change + this.#randomInt(-3, 2) * (HALF_HOUR_MS / 2);
  }

  async #schedule(): Promise<void> {
    const timezone = this.#pick(ZONES);
    const start = this.#randomTimeIn(timezone);
    const isRecurring = this.#randomBoolean(0.75);
    const body = createMeetingBody.parse({
      title: `Plan ${this.#randomInt(1, 99)}`,
      type: 'standup',
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + this.#randomInt(1, 4) * HALF_HOUR_MS).toISOString(),
      timezone,
      meetingLink: 'https://meet.example.org/plan',
      participants: [this.#pick(this.#guests)._id, ...this.#randomGuestIds()],
      isRecurring,
      ...(isRecurring && this.#randomRule(start, timezone)),
    });
    this.#record(`schedule ${describeMeeting(body)}`);
    await this.#team.create(this.#organizer, body);
  }

  #randomRule(start: number, timezone: string) {
    const recurringFrequency = this.#pick(FREQUENCIES);
    const recurrence = this.#randomBoolean(0.5) ? this.#randomRecurrence(start, timezone) : DEFAULT_RECURRENCE;
    const periodDays = { daily: 1, weekly: 7, monthly: 31 }[recurringFrequency] * recurrence.interval;
    const days = this.#randomInt(1, 7) * periodDays;
    const isEndless = recurringFrequency !== 'daily' && this.#randomBoolean(0.15);
    const recurringEndDate = isEndless ? null : new Date(start + days * DAY_MS).toISOString().slice(0, 10);
    return { recurringFrequency, recurrence, recurringEndDate };
  }

  /** Picks a recurrence that includes the weekday of the start. */
  #randomRecurrence(start: number, timezone: string): Recurrence {
    const first = getWeekday(dayInZone(new Date(start).toISOString(), timezone));
    const weekdays = WEEKDAYS.filter((weekday) => weekday === first || this.#randomBoolean(0.3));
    return { interval: this.#randomInt(1, 3), weekdays, monthlyOn: this.#pick(MONTHLY_ON) };
  }

  async #pickMeeting(user: DirectoryUser): Promise<Meeting | undefined> {
    const meetings = await this.#listNear(user);
    return meetings.length === 0 ? undefined : this.#pick(meetings);
  }

  async #edit(): Promise<void> {
    const meeting = await this.#pickMeeting(this.#organizer);
    if (!meeting) return;
    const scope = meeting.isRecurring ? this.#pick(SCOPES) : 'this';
    const fields: Record<string, unknown> = {};
    const kinds = Array.from({ length: this.#randomInt(1, 2) }, () =>
      this.#pick(['title', 'time', 'time', 'participants', 'participants', 'length', 'zone', 'rule'] as const),
    );
    const start = Date.parse(meeting.startTime);
    const end = Date.parse(meeting.endTime);
    for (const kind of kinds) {
      if (kind === 'title') fields.title = `Plan ${this.#randomInt(1, 99)}`;
      if (kind === 'participants') fields.participants = this.#randomGuestIds();
      if (kind === 'zone') fields.timezone = this.#pick(ZONES);
      if (kind === 'length') fields.endTime = new Date(start + this.#randomInt(1, 5) * HALF_HOUR_MS).toISOString();
      if (kind === 'time') {
        const shift = this.#randomBoolean(0.5)
          ? this.#randomInt(-3, 3) * DAY_MS
          : this.#randomInt(-20, 20) * HALF_HOUR_MS;
        fields.startTime = new Date(start + shift).toISOString();
        fields.endTime = new Date(end + shift).toISOString();
      }
      if (kind === 'rule' && (scope !== 'this' || !meeting.isRecurring)) {
        Object.assign(fields, this.#randomRule(start, meeting.timezone), !meeting.isRecurring && { isRecurring: true });
      }
    }
    if (Object.keys(fields).length === 0) return;
    this.#record(`edit ${scope} of ${describeMeeting(meeting)}: ${JSON.stringify(this.#withNames(fields))}`);
    const body = updateMeetingBody.safeParse(fields);
    if (!body.success) return;
    const edited = await this.#team.change(this.#organizer, meeting._id, { scope, body: body.data });
    const expected = body.data.startTime ?? meeting.startTime;
    if (expected !== meeting.startTime && edited.startTime !== expected)
      throw new Error(`The edited meeting starts at ${edited.startTime} instead of ${expected}`);
  }

  async #respond(): Promise<void> {
    const user = this.#pick(this.#guests);
    const meeting = await this.#pickMeeting(user);
    if (!meeting) return;
    const scope = meeting.isRecurring ? this.#pick(SCOPES) : 'this';
    const status = this.#pick(STATUSES);
    const meetings = await this.#team.list(user);
    const client = this.#clients.get(user._id);
    const shownMeetings = client?.listMeetings(FAR_FUTURE) ?? [];
    const [clicked, ...twins] = shownMeetings.filter((shown) => isSame(shown, meeting));
    // Two meetings with the same time and title are indistinguishable.
    if (twins.length > 0) return;
    this.#record(`${this.#nameOf(user._id)} responds ${status} to ${scope} of ${describeMeeting(meeting)}`);
    await this.#team.respond(user, meeting._id, { scope, status });
    // RSVPs given in the app are not emailed to the user.
    if (!client || !clicked) throw new Error('The calendar does not show the meeting of the RSVP');
    const isInSeries = meetings.some(({ seriesId }) => seriesId !== null && seriesId === meeting.seriesId);
    const occurrences = shownMeetings.filter(({ uid }) => uid === clicked.uid && isInSeries);
    const coveredMeetings =
      scope === 'this'
        ? [clicked]
        : occurrences.filter(({ originalStart }) => scope === 'all' || originalStart >= clicked.originalStart);
    client.recordAppRsvp(
      clicked.uid,
      coveredMeetings.map(({ originalStart }) => originalStart),
      PARTSTAT[status],
    );
  }

  async #cancel(): Promise<void> {
    const meeting = await this.#pickMeeting(this.#organizer);
    if (!meeting) return;
    const scope = meeting.isRecurring ? this.#pick(SCOPES) : 'this';
    this.#record(`cancel ${scope} of ${describeMeeting(meeting)}`);
    await this.#team.cancel(this.#organizer, meeting._id, scope);
  }

  /** Compares every calendar with the list, once all emails have arrived. */
  async deliver(): Promise<void> {
    const updated: UpdatedMeetings = new Map();
    await this.#team.fillAhead?.(this.#filledDays);
    await this.#receiveEmails(updated);
    // An email shows the other participants as of its own change (decision 81), so a burst has no common state to
    // compare.
    const isBurst = this.#changeCount > 1;
    this.#changeCount = 0;
    for (const guest of this.#guests) {
      const difference = await this.#compare(guest, isBurst ? [] : (updated.get(guest._id) ?? []));
      this.outcome.difference ??= difference;
    }
  }

  async #receiveEmails(updated: UpdatedMeetings): Promise<void> {
    for (const { to, text } of await this.#team.emails(this.#guests)) {
      const client = this.#clients.get(to._id);
      if (!client) throw new Error('An email was sent to a user who is not a guest');
      this.outcome.emails.push({ to: to.email, text });
      updated.set(to._id, [...(updated.get(to._id) ?? []), ...client.receive(text)]);
    }
  }

  async #compare(
    guest: DirectoryUser,
    updated: readonly { uid: string; originalStart: number | null }[],
  ): Promise<string | null> {
    const shownMeetings = this.#clients.get(guest._id)?.listMeetings(this.#comparedUntil) ?? [];
    const meetings = await this.#listNear(guest, this.#comparedUntil);
    const inCalendar = shownMeetings.map((shown) => toLineWithRsvp(shown)).toSorted();
    const inList = meetings.map((meeting) => toLineWithRsvp(toShown(meeting, guest))).toSorted();
    if (inCalendar.join('\n') !== inList.join('\n')) return this.#describeDifference(guest, inCalendar, inList);
    // Meetings that an email has just updated must also show the other users' RSVPs.
    const updatedMeetings = shownMeetings.filter(({ uid, originalStart }) =>
      updated.some((item) => item.uid === uid && (item.originalStart === null || item.originalStart === originalStart)),
    );
    const hasListedRsvps = (shown: ShownMeeting) =>
      meetings.some((meeting) => isSame(shown, meeting) && format(shown.statuses) === format(listStatuses(meeting)));
    const wrong = updatedMeetings.find((shown) => !hasListedRsvps(shown));
    if (!wrong) return null;
    return `${this.#nameOf(guest._id)} received wrong RSVPs: ${toLineWithRsvp(wrong)} ${format(wrong.statuses)}`;
  }

  #describeDifference(guest: DirectoryUser, inCalendar: readonly string[], inList: readonly string[]): string {
    const findMissing = (lines: readonly string[], otherLines: readonly string[]) =>
      lines.filter((text) => !otherLines.includes(text)).slice(0, 4);
    const sizes = `${inCalendar.length} in the calendar, ${inList.length} in the list`;
    return [
      `${this.#nameOf(guest._id)}: ${sizes}`,
      'only in the calendar:',
      ...findMissing(inCalendar, inList),
      'only in the list:',
      ...findMissing(inList, inCalendar),
    ].join('\n  ');
  }

  #nameOf(id: string): string {
    return `guest ${this.#guests.findIndex(({ _id }) => _id === id)}`;
  }

  #withNames(fields: Record<string, unknown>) {
    if (!Array.isArray(fields.participants)) return fields;
    return { ...fields, participants: fields.participants.map((id) => this.#nameOf(String(id))) };
  }

  #record(step: string): void {
    this.outcome.steps.push(step);
  }
}

/** Finds the quarter of an hour in which the zone's clocks next go back. */
function findClockChange(timezone: string): number | undefined {
  const firstDay = Math.ceil(Date.now() / DAY_MS) * DAY_MS;
  const goesBack = (from: number, length: number) => getOffset(from, timezone) > getOffset(from + length, timezone);
  const day = Array.from({ length: 250 }, (_, index) => firstDay + index * DAY_MS).find((from) =>
    goesBack(from, DAY_MS),
  );
  if (day === undefined) return undefined;
  const quarterMs = HALF_HOUR_MS / 2;
  const starts = Array.from({ length: DAY_MS / quarterMs }, (_, index) => day + index * quarterMs);
  const lastBefore = starts.find((from) => goesBack(from, quarterMs));
  return lastBefore === undefined ? undefined : lastBefore + quarterMs;
}

/** Returns minutes east of UTC. */
function getOffset(time: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' }).formatToParts(time);
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(parts.map(({ value }) => value).join('')) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

const FAR_FUTURE = new Date('2100-01-01');

const describeMeeting = ({
  title,
  startTime,
  timezone,
  recurringFrequency,
  recurringEndDate,
}: Pick<Meeting, 'title' | 'startTime' | 'recurringFrequency' | 'recurringEndDate'> & {
  timezone?: string | undefined;
}) => [title, startTime, timezone, recurringFrequency ?? 'once', recurringEndDate ?? ''].join(' ');

const listStatuses = ({ participants, organizer }: Meeting): Record<string, string> =>
  Object.fromEntries(
    participants
      .filter(({ _id }) => _id !== organizer._id)
      .map((user) => [user.email?.toLowerCase() ?? user._id, PARTSTAT[user.responseStatus]]),
  );

const toShown = (meeting: Meeting, guest: DirectoryUser) => ({
  start: meeting.startTime,
  end: meeting.endTime,
  title: meeting.title,
  ownStatus: listStatuses(meeting)[guest.email.toLowerCase()] ?? 'not invited',
});

const toLineWithRsvp = ({ start, end, title, ownStatus }: Omit<ShownMeeting, 'uid' | 'originalStart' | 'statuses'>) =>
  [start, end, title, ownStatus].join(' ');

/** Omits the organizer, who is not an attendee and has no RSVP. */
const toFeedLine = ({ start, end, title, statuses }: Omit<ShownMeeting, 'uid' | 'originalStart' | 'ownStatus'>) => {
  const attendeeStatuses = Object.fromEntries(Object.entries(statuses).filter(([, status]) => status !== ''));
  return [start, end, title, format(attendeeStatuses)].join(' ');
};

const isSame = (shown: ShownMeeting, { startTime, endTime, title }: Meeting) =>
  shown.start === startTime && shown.end === endTime && shown.title === title;

const format = (statuses: Record<string, string>) => JSON.stringify(Object.entries(statuses).toSorted());
