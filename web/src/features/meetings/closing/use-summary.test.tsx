import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { noDecision } from './decisions-field.tsx';
import { type CloseValues, useSummary } from './use-summary.ts';

afterEach(cleanup);

const OPENED = { summary: 'As it was', version: 1 };
const decided = { ...noDecision, text: 'Buy paper' };

function opened() {
  const { result, rerender } = renderHook(
    (meeting: typeof OPENED) => {
      const form = useForm<CloseValues>({ defaultValues: { summary: meeting.summary, decisions: [noDecision] } });
      form.register('summary');
      form.register('decisions');
      return { form, summary: useSummary(meeting, form), isDirty: form.formState.isDirty };
    },
    { initialProps: OPENED },
  );
  const type = <Name extends keyof CloseValues>(name: Name, value: CloseValues[Name]) =>
    act(() => result.current.form.setValue(name as 'summary', value as string, { shouldDirty: true }));
  const now = () => ({
    ...result.current.form.getValues(),
    theirs: result.current.summary.conflict?.fields[0]?.theirs,
    version: result.current.summary.version,
    isSent: result.current.summary.isSent(),
  });
  return {
    type,
    now,
    load: rerender,
    handleConflict(current: typeof OPENED) {
      let version: number | undefined;
      act(() => {
        version = result.current.summary.handleConflict(current);
      });
      return version;
    },
    choose: (which: 'onKeepMine' | 'onTakeTheirs') => act(() => result.current.summary.conflict?.[which]()),
  };
}

it('follows summaries saved by others while it is untouched, and is not sent', () => {
  const form = opened();
  form.type('decisions', [decided]);
  form.load({ summary: 'Of Lin', version: 2 });
  expect(form.now()).toEqual({
    summary: 'Of Lin',
    decisions: [decided],
    theirs: undefined,
    version: 2,
    isSent: false,
  });
  // An older response that arrives late.
  form.load(OPENED);
  expect(form.now().summary).toBe('Of Lin');
});

it('is sent as typed, whatever else of the meeting others change', () => {
  const form = opened();
  form.type('summary', 'Of mine');
  form.load({ ...OPENED, version: 2 });
  expect(form.now()).toMatchObject({ summary: 'Of mine', theirs: undefined, isSent: true });
});

it('becomes a conflict if both sides change it, and keeps the decisions', () => {
  for (const [which, summary, isSent] of [
    ['onKeepMine', 'Of mine', true],
    ['onTakeTheirs', 'Of Lin', false],
  ] as const) {
    const form = opened();
    form.type('summary', 'Of mine');
    form.type('decisions', [decided]);
    form.load({ summary: 'Of Lin', version: 2 });
    expect(form.now()).toMatchObject({ summary: 'Of mine', theirs: 'Of Lin' });
    form.choose(which);
    expect(form.now()).toEqual({ summary, decisions: [decided], theirs: undefined, version: 2, isSent });
  }
});

it('overwrites the other summary if the user keeps the original text', () => {
  const form = opened();
  form.type('summary', 'Of mine');
  form.load({ summary: 'Of Lin', version: 2 });
  form.choose('onKeepMine');
  form.type('summary', OPENED.summary);
  expect(form.now().isSent).toBe(true);
});

it('becomes a conflict if closing meets another summary, and retries after other changes', () => {
  const form = opened();
  form.type('summary', 'Of mine');
  expect(form.handleConflict({ ...OPENED, version: 2 })).toBe(2);
  expect(form.now()).toMatchObject({ summary: 'Of mine', theirs: undefined });
  expect(form.handleConflict({ summary: 'Of Lin', version: 3 })).toBeUndefined();
  expect(form.now()).toMatchObject({ summary: 'Of mine', theirs: 'Of Lin', version: 3 });
  form.choose('onKeepMine');
  expect(form.now()).toMatchObject({ summary: 'Of mine', theirs: undefined, isSent: true, version: 3 });
});

it('is no conflict if the saved summary is the one sent, whose response was lost', () => {
  const form = opened();
  form.type('summary', 'Of mine');
  form.load({ summary: 'Of mine', version: 2 });
  expect(form.now()).toMatchObject({ theirs: undefined, isSent: true });
});
