import { createMeetingBody, type Meeting, updateMeetingBody } from '@atrium/proto-events/http/meeting-fields';
import type { DirectoryUser } from '@atrium/proto-events/people';
import {
  dayInZone,
  EVERY_PERIOD,
  MONTHLY_ON,
  type Recurrence,
  WEEKDAYS,
  weekdayOf,
} from '@atrium/proto-events/recurrence';
import { AppError } from '@atrium/service-kit/http/app-error';
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
/** Series without an end are filled 12 months ahead; what is beyond is nobody's list yet. */
const HORIZON_DAYS = 330;
/**
 * Where the office can be asked for it, they are filled so much further, and further after each step: calendars show these dates already,
 * and nobody is mailed of them. No single one of them is changed or answered, as nobody does that with meetings in more than a year.
 */
const FIRST_DAYS = 120;
const DAYS_A_STEP = 14;
/** How many changes are followed closely by another one. */
const IN_BURST = 0.4;

export type Outcome = {
  steps: string[];
  refused: number;
  mails: { to: string; text: string }[];
  feeds: string[];
  difference: string | null;
};

/** One history of an office of five, told by its seed alone. It ends with the first step after which a calendar shows what is not so. */
export async function runHistory(office: CalendarTeam, seed: number, length: number): Promise<Outcome> {
  const history = new History(office, seed);
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

type Told = Map<string, { uid: string; place: number | null }[]>;

class History {
  readonly outcome: Outcome = { steps: [], refused: 0, mails: [], feeds: [], difference: null };
  readonly #office: CalendarTeam;
  readonly #chance: () => number;
  readonly #organizer: DirectoryUser;
  readonly #guests: DirectoryUser[];
  readonly #clients = new Map<string, CalendarClient>();
  readonly #horizon = new Date(Date.now() + HORIZON_DAYS * DAY);
  #filledDays = 0;

  constructor(office: CalendarTeam, seed: number) {
    this.#office = office;
    this.#chance = createSeededRandom(seed);
    const email = () => `${newId()}@example.org`;
    this.#organizer = buildUser({ email: email(), role: 'project_manager', timezone: this.#one(ZONES) });
    this.#guests = Array.from({ length: 4 }, () => buildUser({ email: email(), timezone: this.#one(ZONES) }));
    for (const person of [this.#organizer, ...this.#guests]) office.know(person);
    for (const { _id, email } of this.#guests) this.#clients.set(_id, new CalendarClient(email));
  }

  async step(only?: 'schedule'): Promise<void> {
    const kind =
      only ?? this.#one(['schedule', 'edit', 'edit', 'edit', 'edit', 'respond', 'respond', 'cancel'] as const);
    // Responses are to what calendars show.
    if (kind === 'respond') await this.deliver();
    try {
      await this.#perform(kind);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      this.outcome.refused += 1;
      this.outcome.steps.push(`  refused: ${error.message}`);
    }
    if (this.#office.mergesMails && kind !== 'respond' && this.#chance() < IN_BURST) return;
    await this.deliver();
    await this.#goOn();
  }

  /** Time goes on: dates are added to series without an end. */
  async #goOn(): Promise<void> {
    if (!this.#office.fillAhead) return;
    this.#filledDays = FIRST_DAYS + this.outcome.steps.length * DAYS_A_STEP;
    await this.#office.fillAhead(this.#filledDays);
    for (const guest of this.#guests) this.outcome.difference ??= await this.#compare(guest, []);
  }

  /** Up to where lists have what calendars show. */
  get #compared(): Date {
    return new Date(this.#horizon.getTime() + this.#filledDays * DAY);
  }

  /** Whoever gets the mails in any other order has the same meetings at the end: that is what revisions are for. */
  async shuffle(): Promise<void> {
    for (const guest of this.#guests) {
      if (this.outcome.difference !== null) return;
      const mails = this.outcome.mails.filter(({ to }) => to === guest.email);
      const ordered = mails.map((mail) => ({ mail, by: this.#chance() })).toSorted((one, other) => one.by - other.by);
      const client = new CalendarClient(guest.email);
      for (const { mail } of ordered) client.take(mail.text);
      const meetings = await this.#near(guest, this.#compared);
      const placeOf = ({ start, end, title }: Pick<Shown, 'start' | 'end' | 'title'>) => [start, end, title].join(' ');
      const inCalendar = client.show(this.#compared).map(placeOf).toSorted();
      const inList = meetings.map((one) => placeOf(asShown(one, guest))).toSorted();
      if (inCalendar.join() === inList.join()) continue;
      this.outcome.difference = `in another order ${this.#differ(guest, inCalendar, inList)}`;
    }
  }

  /** Whoever subscribes has the same meetings, with the same answers of everybody, as who took every mail; so has the organiser. */
  async subscribe(): Promise<void> {
    for (const person of [this.#organizer, ...this.#guests]) {
      if (this.outcome.difference !== null) return;
      const text = await this.#office.feed(person);
      this.outcome.feeds.push(text);
      const client = new CalendarClient(person.email);
      client.subscribe(text, { isOwner: person === this.#organizer });
      const inCalendar = client.show(FAR).map(feedLine).toSorted();
      const meetings = await this.#office.list(person);
      const inList = meetings.map((one) => feedLine({ ...asShown(one, person), answers: answersOf(one) })).toSorted();
      if (inCalendar.join('\n') === inList.join('\n')) continue;
      this.outcome.difference = `subscribed ${this.#differ(person, inCalendar, inList)}`;
    }
  }

  async #near(person: DirectoryUser, before = this.#horizon): Promise<Meeting[]> {
    const meetings = await this.#office.list(person);
    return meetings.filter(({ startTime }) => Date.parse(startTime) < before.getTime());
  }

  #perform(kind: 'schedule' | 'edit' | 'respond' | 'cancel'): Promise<void> {
    if (kind === 'schedule') return this.#schedule();
    if (kind === 'edit') return this.#edit();
    return kind === 'respond' ? this.#respond() : this.#cancel();
  }

  #one<T>(from: readonly T[]): T {
    const chosen = from[Math.floor(this.#chance() * from.length)];
    if (chosen === undefined) throw new Error('nothing to choose from');
    return chosen;
  }

  #among(from: number, to: number): number {
    return from + Math.floor(this.#chance() * (to - from + 1));
  }

  #happens(share: number): boolean {
    return this.#chance() < share;
  }

  #people(): string[] {
    return this.#guests.filter(() => this.#happens(0.6)).map(({ _id }) => _id);
  }

  /** Within the coming 300 days, on the grid of half hours: over both changes of the clocks, and often at night when they happen. */
  #moment(): number {
    const day = Math.ceil(Date.now() / DAY) + this.#among(2, 250);
    return day * DAY + this.#among(0, 47) * HALF_HOUR;
  }

  /** Of a time that the clock of a zone shows twice one of both moments, where its clocks go back soon. */
  #momentIn(timezone: string): number {
    const change = this.#happens(0.15) ? clocksGoBack(timezone) : undefined;
    return change === undefined ? this.#moment() : change + this.#among(-3, 2) * (HALF_HOUR / 2);
  }

  async #schedule(): Promise<void> {
    const timezone = this.#one(ZONES);
    const start = this.#momentIn(timezone);
    const isRecurring = this.#happens(0.75);
    const body = createMeetingBody.parse({
      title: `Plan ${this.#among(1, 99)}`,
      type: 'standup',
      startTime: new Date(start).toISOString(),
      endTime: new Date(start + this.#among(1, 4) * HALF_HOUR).toISOString(),
      timezone,
      meetingLink: 'https://meet.example.org/plan',
      participants: [this.#one(this.#guests)._id, ...this.#people()],
      isRecurring,
      ...(isRecurring && this.#rule(start, timezone)),
    });
    this.#note(`schedule ${describe(body)}`);
    await this.#office.create(this.#organizer, body);
  }

  #rule(start: number, timezone: string) {
    const recurringFrequency = this.#one(FREQUENCIES);
    const recurrence = this.#happens(0.5) ? this.#recurrence(start, timezone) : EVERY_PERIOD;
    const periodDays = { daily: 1, weekly: 7, monthly: 31 }[recurringFrequency] * recurrence.interval;
    const turns = this.#among(1, 7) * periodDays;
    const isOpen = recurringFrequency !== 'daily' && this.#happens(0.15);
    const recurringEndDate = isOpen ? null : new Date(start + turns * DAY).toISOString().slice(0, 10);
    return { recurringFrequency, recurrence, recurringEndDate };
  }

  /** Mostly one that the start is on. */
  #recurrence(start: number, timezone: string): Recurrence {
    const first = weekdayOf(dayInZone(new Date(start).toISOString(), timezone));
    const weekdays = WEEKDAYS.filter((one) => one === first || this.#happens(0.3));
    return { interval: this.#among(1, 3), weekdays, monthlyOn: this.#one(MONTHLY_ON) };
  }

  async #anyMeeting(person: DirectoryUser): Promise<Meeting | undefined> {
    const near = await this.#near(person);
    return near.length === 0 ? undefined : this.#one(near);
  }

  async #edit(): Promise<void> {
    const meeting = await this.#anyMeeting(this.#organizer);
    if (!meeting) return;
    const scope = meeting.isRecurring ? this.#one(SCOPES) : 'this';
    const given: Record<string, unknown> = {};
    const kinds = Array.from({ length: this.#among(1, 2) }, () =>
      this.#one(['title', 'time', 'time', 'people', 'people', 'length', 'zone', 'rule'] as const),
    );
    const [start, end] = [Date.parse(meeting.startTime), Date.parse(meeting.endTime)];
    for (const kind of kinds) {
      if (kind === 'title') given.title = `Plan ${this.#among(1, 99)}`;
      if (kind === 'people') given.participants = this.#people();
      if (kind === 'zone') given.timezone = this.#one(ZONES);
      if (kind === 'length') given.endTime = new Date(start + this.#among(1, 5) * HALF_HOUR).toISOString();
      if (kind === 'time') {
        const by = this.#happens(0.5) ? this.#among(-3, 3) * DAY : this.#among(-20, 20) * HALF_HOUR;
        given.startTime = new Date(start + by).toISOString();
        given.endTime = new Date(end + by).toISOString();
      }
      if (kind === 'rule' && (scope !== 'this' || !meeting.isRecurring)) {
        Object.assign(given, this.#rule(start, meeting.timezone), !meeting.isRecurring && { isRecurring: true });
      }
    }
    if (Object.keys(given).length === 0) return;
    this.#note(`edit ${scope} of ${describe(meeting)}: ${JSON.stringify(this.#named(given))}`);
    const body = updateMeetingBody.safeParse(given);
    if (!body.success) return;
    const edited = await this.#office.change(this.#organizer, meeting._id, { scope, body: body.data });
    const wanted = body.data.startTime ?? meeting.startTime;
    if (wanted !== meeting.startTime && edited.startTime !== wanted)
      throw new Error(`the edited meeting is at ${edited.startTime} instead of ${wanted}`);
  }

  async #respond(): Promise<void> {
    const person = this.#one(this.#guests);
    const meeting = await this.#anyMeeting(person);
    if (!meeting) return;
    const scope = meeting.isRecurring ? this.#one(SCOPES) : 'this';
    const status = this.#one(STATUSES);
    const before = await this.#office.list(person);
    const client = this.#clients.get(person._id);
    const shown = client?.show(FAR) ?? [];
    const [clicked, ...twins] = shown.filter((one) => isSame(one, meeting));
    // Of two at the same time with the same name nobody can say which one is meant.
    if (twins.length > 0) return;
    this.#note(`${this.#nameOf(person._id)} answers ${status} to ${scope} of ${describe(meeting)}`);
    await this.#office.respond(person, meeting._id, { scope, status });
    // What one answers in the application is not mailed: the person knows it.
    if (!client || !clicked) throw new Error('a meeting was answered that the calendar does not show');
    const series = before.filter(({ seriesId }) => seriesId !== null && seriesId === meeting.seriesId);
    const ofSeries = shown.filter(({ uid }) => uid === clicked.uid && series.length > 0);
    const meant =
      scope === 'this' ? [clicked] : ofSeries.filter(({ place }) => scope === 'all' || place >= clicked.place);
    client.answer(
      clicked.uid,
      meant.map(({ place }) => place),
      PARTSTAT[status],
    );
  }

  async #cancel(): Promise<void> {
    const meeting = await this.#anyMeeting(this.#organizer);
    if (!meeting) return;
    const scope = meeting.isRecurring ? this.#one(SCOPES) : 'this';
    this.#note(`cancel ${scope} of ${describe(meeting)}`);
    await this.#office.cancel(this.#organizer, meeting._id, scope);
  }

  /** Compares every calendar with the list, once all emails have arrived. */
  async deliver(): Promise<void> {
    const told: Told = new Map();
    await this.#office.fillAhead?.(this.#filledDays);
    await this.#take(told);
    for (const guest of this.#guests) {
      const difference = await this.#compare(guest, told.get(guest._id) ?? []);
      this.outcome.difference ??= difference;
    }
  }

  async #take(told: Told): Promise<void> {
    for (const { to, text } of await this.#office.mails(this.#guests)) {
      const client = this.#clients.get(to._id);
      if (!client) throw new Error('a mail to somebody who is no guest');
      this.outcome.mails.push({ to: to.email, text });
      told.set(to._id, [...(told.get(to._id) ?? []), ...client.take(text)]);
    }
  }

  async #compare(guest: DirectoryUser, told: readonly { uid: string; place: number | null }[]): Promise<string | null> {
    const shown = this.#clients.get(guest._id)?.show(this.#compared) ?? [];
    const meetings = await this.#near(guest, this.#compared);
    const inCalendar = shown.map((one) => line(one)).toSorted();
    const inList = meetings.map((one) => line(asShown(one, guest))).toSorted();
    if (inCalendar.join('\n') !== inList.join('\n')) return this.#differ(guest, inCalendar, inList);
    // Of what a mail has just told of, also what everybody else has answered.
    const fresh = shown.filter(({ uid, place }) =>
      told.some((one) => one.uid === uid && (one.place === null || one.place === place)),
    );
    const isThere = (one: Shown) =>
      meetings.some((meeting) => isSame(one, meeting) && others(one.answers) === others(answersOf(meeting)));
    const wrong = fresh.find((one) => !isThere(one));
    return wrong ? `${this.#nameOf(guest._id)} is told wrong answers: ${line(wrong)} ${others(wrong.answers)}` : null;
  }

  #differ(guest: DirectoryUser, inCalendar: readonly string[], inList: readonly string[]): string {
    const only = (one: readonly string[], other: readonly string[]) =>
      one.filter((text) => !other.includes(text)).slice(0, 4);
    const [calendar, list] = [only(inCalendar, inList), only(inList, inCalendar)];
    const sizes = `${inCalendar.length} in the calendar, ${inList.length} in the list`;
    return [
      `${this.#nameOf(guest._id)}: ${sizes}`,
      'in the calendar alone:',
      ...calendar,
      'in the list alone:',
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

  #note(step: string): void {
    this.outcome.steps.push(step);
  }
}

/** When a zone's clocks go back in the coming days, to the quarter of an hour. */
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
function offsetAt(moment: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: timezone, timeZoneName: 'longOffset' }).formatToParts(moment);
  const [, sign, hours, minutes] = /GMT([+-])(\d+):(\d+)/.exec(parts.map(({ value }) => value).join('')) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0));
}

const FAR = new Date('2100-01-01');

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

/** The organiser is no guest of their own, and has no answer. */
const feedLine = ({ start, end, title, answers }: Omit<Shown, 'uid' | 'place' | 'own'>) => {
  const given = Object.fromEntries(Object.entries(answers).filter(([, status]) => status !== ''));
  return [start, end, title, others(given)].join(' ');
};

const isSame = (one: Shown, { startTime, endTime, title }: Meeting) =>
  one.start === startTime && one.end === endTime && one.title === title;

const others = (answers: Record<string, string>) => JSON.stringify(Object.entries(answers).toSorted());
