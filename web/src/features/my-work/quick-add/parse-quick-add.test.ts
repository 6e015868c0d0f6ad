import { describe, expect, it } from '@jest/globals';
import { type ParsedTask, parseQuickAdd } from './parse-quick-add.ts';

/** A Wednesday. */
const TODAY = '2026-11-25';
const PROJECTS = [
  { _id: 'a', name: 'Customer Portal' },
  { _id: 'b', name: 'Customer' },
  { _id: 'c', name: 'Website relaunch' },
  { _id: 'd', name: 'Website content' },
  { _id: 'e', name: 'Größe' },
];

const parse = (line: string, order: 'month-first' | 'day-first' = 'month-first') =>
  parseQuickAdd(line, { today: TODAY, order, projects: PROJECTS });

type Expected = Partial<Pick<ParsedTask, 'title' | 'dueDate' | 'priority' | 'unknownProject'>> & { project?: string };

function summarize({ title, dueDate, priority, project, unknownProject }: ParsedTask): Expected {
  return {
    title,
    ...(dueDate && { dueDate }),
    ...(priority && { priority }),
    ...(project && { project: project.name }),
    ...(unknownProject && { unknownProject }),
  };
}

it.each<[string, Expected]>([
  [
    'report friday #portal !high',
    { title: 'report', dueDate: '2026-11-27', project: 'Customer Portal', priority: 'high' },
  ],
  [
    '!u #portal tomorrow Call Ada',
    { title: 'Call Ada', dueDate: '2026-11-26', project: 'Customer Portal', priority: 'urgent' },
  ],
  ['Call Ada', { title: 'Call Ada' }],
  ['  Call   Ada  ', { title: 'Call Ada' }],
  ['', { title: '' }],
  [
    'Send the report by friday. #portal, !high',
    { title: 'Send the report', dueDate: '2026-11-27', project: 'Customer Portal', priority: 'high' },
  ],
  ['Buy milk friday!', { title: 'Buy milk', dueDate: '2026-11-27' }],
  ['Pay 2020-01-01', { title: 'Pay', dueDate: '2020-01-01' }],
  [
    'Gửi báo cáo khách hàng tomorrow #größe',
    { title: 'Gửi báo cáo khách hàng', dueDate: '2026-11-26', project: 'Größe' },
  ],
  ['להגיש דוח friday #portal', { title: 'להגיש דוח', dueDate: '2026-11-27', project: 'Customer Portal' }],
  ['Say hello!', { title: 'Say hello!' }],
  ['friday #portal !high', { title: '', dueDate: '2026-11-27', project: 'Customer Portal', priority: 'high' }],
])('the line "%s" is read as a task', (line, expected) => {
  expect(summarize(parse(line))).toEqual(expected);
});

it.each([
  ['today', '2026-11-25'],
  ['tomorrow', '2026-11-26'],
  ['day after tomorrow', '2026-11-27'],
  ['friday', '2026-11-27'],
  ['Fri', '2026-11-27'],
  ['this friday', '2026-11-27'],
  ['wednesday', '2026-12-02'],
  ['tues', '2026-12-01'],
  ['next friday', '2026-12-04'],
  ['next sunday', '2026-12-06'],
  ['this weekend', '2026-11-28'],
  ['next week', '2026-11-30'],
  ['next month', '2026-12-01'],
  ['end of week', '2026-11-27'],
  ['eom', '2026-11-30'],
  ['in 3 days', '2026-11-28'],
  ['in a week', '2026-12-02'],
  ['in two weeks', '2026-12-09'],
  ['in 3 months', '2027-02-25'],
  ['dec 24', '2026-12-24'],
  ['24 December', '2026-12-24'],
  ['24th of december', '2026-12-24'],
  ['jan 5', '2027-01-05'],
  ['Nov 25', '2026-11-25'],
  ['Nov 24', '2027-11-24'],
  ['March 1, 2028', '2028-03-01'],
  ['feb 29', '2028-02-29'],
  ['2026-12-24', '2026-12-24'],
  ['24.12.', '2026-12-24'],
  ['24.12.2027', '2027-12-24'],
  ['12/24', '2026-12-24'],
  ['by friday', '2026-11-27'],
  ['due next week', '2026-11-30'],
])('"%s" is a date', (text, day) => {
  for (const line of [`Report ${text}`, `${text} Report`, `Report ${text} !low`]) {
    const isAbbreviated = /^(fri|tues)$/i.test(text);
    if (isAbbreviated && line.startsWith(text)) continue;
    expect([line, summarize(parse(line))]).toEqual([
      line,
      { title: 'Report', dueDate: day, ...(line.endsWith('!low') && { priority: 'low' }) },
    ]);
  }
});

it('the order of day and month in numbers is that of the device, unless only the other one is possible', () => {
  expect(parse('Report 3/4').dueDate).toBe('2027-03-04');
  expect(parse('Report 3/4', 'day-first').dueDate).toBe('2027-04-03');
  expect(parse('Report 24/12').dueDate).toBe('2026-12-24');
  expect(parse('Report 12/24/2027', 'day-first').dueDate).toBe('2027-12-24');
});

it('months of different lengths keep the date, or end with the last one', () => {
  const fromDay = (today: string) => parseQuickAdd('Report in a month', { today, order: 'day-first', projects: [] });
  expect(fromDay('2027-01-31').dueDate).toBe('2027-02-28');
  expect(fromDay('2026-12-15').dueDate).toBe('2027-01-15');
});

describe('what is not understood stays text', () => {
  it.each<[string, Expected]>([
    ['Report feb 30', { title: 'Report feb 30' }],
    ['Report 2026-13-01', { title: 'Report 2026-13-01' }],
    ['Report 99/99', { title: 'Report 99/99' }],
    ['Fix !important bug', { title: 'Fix !important bug' }],
    ['Fix !', { title: 'Fix !' }],
    ['Fix #', { title: 'Fix #' }],
    ['Close issue #12', { title: 'Close issue #12' }],
    ['Plan #nothing', { title: 'Plan #nothing', unknownProject: '#nothing' }],
    ['Plan #website', { title: 'Plan #website', unknownProject: '#website' }],
    ['Ada, friday, and Max', { title: 'Ada, friday, and Max' }],
    ['See you friday. Then rest', { title: 'See you friday. Then rest' }],
    ['31 feb', { title: '31 feb' }],
    ['!!!', { title: '!!!' }],
    ['Fix #website!high', { title: 'Fix #website!high', unknownProject: '#website!high' }],
    ["Write friday's minutes", { title: "Write friday's minutes" }],
  ])('%s', (line, expected) => {
    expect(summarize(parse(line))).toEqual(expected);
  });

  it('such as words in a sentence that may be a date elsewhere', () => {
    expect(parse('Move the call to monday').dueDate).toBeUndefined();
    expect(parse('Order sun screen').dueDate).toBeUndefined();
    expect(parse('They may 3').dueDate).toBe('2027-05-03');
    expect(summarize(parse('Order screen sun'))).toEqual({ title: 'Order screen', dueDate: '2026-11-29' });
    expect(summarize(parse('Order on sun a screen'))).toEqual({ title: 'Order a screen', dueDate: '2026-11-29' });
  });

  it('such as all dates, projects, and priorities before the last one', () => {
    expect(summarize(parse('Prepare friday meeting !low #customer monday !high #relaunch'))).toEqual({
      title: 'Prepare friday meeting !low #customer',
      dueDate: '2026-11-30',
      priority: 'high',
      project: 'Website relaunch',
    });
  });
});

describe('a project', () => {
  it.each([
    ['#Customer Portal', 'Customer Portal'],
    ['#customer portal', 'Customer Portal'],
    ['#customer-portal', 'Customer Portal'],
    ['#customer', 'Customer'],
    ['#port', 'Customer Portal'],
    ['#relaunch', 'Website relaunch'],
    ['#größe', 'Größe'],
    ['#GROSSE', 'Größe'],
  ])('is found by %s', (text, name) => {
    expect(summarize(parse(`Report ${text}`))).toEqual({ title: 'Report', project: name });
    expect(summarize(parse(`${text} Report`))).toEqual({ title: 'Report', project: name });
  });
});
