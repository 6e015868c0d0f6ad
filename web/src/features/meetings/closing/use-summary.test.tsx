import { afterEach, expect, it } from '@jest/globals';
import { act, cleanup, renderHook } from '@testing-library/react';
import { useForm } from 'react-hook-form';
import { EMPTY_DECISION } from './decisions-field.tsx';
import { type CloseValues, useSummary } from './use-summary.ts';

afterEach(cleanup);

const OPENED = { summary: 'Original summary', version: 1 };
const decided = { ...EMPTY_DECISION, text: 'Buy paper' };

function renderSummary() {
  const { result, rerender } = renderHook(
    (meeting: typeof OPENED) => {
      const form = useForm<CloseValues>({ defaultValues: { summary: meeting.summary, decisions: [EMPTY_DECISION] } });
      form.register('summary');
      form.register('decisions');
      return { form, summary: useSummary(meeting, form), isDirty: form.formState.isDirty };
    },
    { initialProps: OPENED },
  );
  const type = <Name extends keyof CloseValues>(name: Name, value: CloseValues[Name]) =>
    act(() => result.current.form.setValue(name as 'summary', value as string, { shouldDirty: true }));
  const getState = () => ({
    ...result.current.form.getValues(),
    theirs: result.current.summary.conflict?.fields[0]?.theirs,
    version: result.current.summary.version,
    isSent: result.current.summary.isSent(),
  });
  return {
    type,
    getState,
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

it('an untouched summary follows those saved by others, and is not sent', () => {
  const form = renderSummary();
  form.type('decisions', [decided]);
  form.load({ summary: 'Summary by Lin', version: 2 });
  expect(form.getState()).toEqual({
    summary: 'Summary by Lin',
    decisions: [decided],
    theirs: undefined,
    version: 2,
    isSent: false,
  });
  // An older response arrives late.
  form.load(OPENED);
  expect(form.getState().summary).toBe('Summary by Lin');
});

it('a changed summary is sent as typed if others change only other fields of the meeting', () => {
  const form = renderSummary();
  form.type('summary', 'My summary');
  form.load({ ...OPENED, version: 2 });
  expect(form.getState()).toMatchObject({ summary: 'My summary', theirs: undefined, isSent: true });
});

it('a summary becomes a conflict if both sides change it, and the decisions are kept', () => {
  for (const [which, summary, isSent] of [
    ['onKeepMine', 'My summary', true],
    ['onTakeTheirs', 'Summary by Lin', false],
  ] as const) {
    const form = renderSummary();
    form.type('summary', 'My summary');
    form.type('decisions', [decided]);
    form.load({ summary: 'Summary by Lin', version: 2 });
    expect(form.getState()).toMatchObject({ summary: 'My summary', theirs: 'Summary by Lin' });
    form.choose(which);
    expect(form.getState()).toEqual({ summary, decisions: [decided], theirs: undefined, version: 2, isSent });
  }
});

it('the original text overwrites the other summary if the user keeps it', () => {
  const form = renderSummary();
  form.type('summary', 'My summary');
  form.load({ summary: 'Summary by Lin', version: 2 });
  form.choose('onKeepMine');
  form.type('summary', OPENED.summary);
  expect(form.getState().isSent).toBe(true);
});

it('a summary becomes a conflict if closing finds a different one, and closing retries after other changes', () => {
  const form = renderSummary();
  form.type('summary', 'My summary');
  expect(form.handleConflict({ ...OPENED, version: 2 })).toBe(2);
  expect(form.getState()).toMatchObject({ summary: 'My summary', theirs: undefined });
  expect(form.handleConflict({ summary: 'Summary by Lin', version: 3 })).toBeUndefined();
  expect(form.getState()).toMatchObject({ summary: 'My summary', theirs: 'Summary by Lin', version: 3 });
  form.choose('onKeepMine');
  expect(form.getState()).toMatchObject({ summary: 'My summary', theirs: undefined, isSent: true, version: 3 });
});

it('a summary does not conflict with an identical saved one, whose response was lost', () => {
  const form = renderSummary();
  form.type('summary', 'My summary');
  form.load({ summary: 'My summary', version: 2 });
  expect(form.getState()).toMatchObject({ theirs: undefined, isSent: true });
});
