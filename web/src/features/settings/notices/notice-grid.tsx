import type { NoticeKind } from '@atrium/proto-events/notices/kinds';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { styled } from 'styled-components';
import { noticeKindFragment } from '#entities/notification/notice-reasons.ts';
import { focusWhenUncovered } from '#lib/focus-when-uncovered.ts';
import { FormField } from '#lib/forms/form-field.tsx';
import { useFragment } from '#lib/hooks/use-fragment.ts';
import { Select } from '#ui/fields/select.tsx';
import { Checkbox } from '#ui/fields/toggles.tsx';
import { Caption, Text } from '#ui/layout/primitives.ts';
import { theme } from '#ui/theme.ts';
import { NOTICE_GROUPS, type ShownKindText } from './notice-kinds.ts';
import { emailOptions, type NoticeControl } from './notices-schema.ts';

export function NoticeGrid({ control }: { control: NoticeControl }) {
  return (
    <>
      {NOTICE_GROUPS.map(({ title, kinds }) => (
        <Group key={title} title={title} hasChoices>
          {kinds.map((text: ShownKindText) => (
            <KindRow key={text.kind} kind={text.kind} label={text.label} hint={text.hint}>
              <KindFields control={control} {...text} />
            </KindRow>
          ))}
        </Group>
      ))}
      <Group title="Account">
        <KindRow
          kind="security"
          label="Account security"
          hint="New sign-ins, password changes, and other changes to how you sign in."
        >
          <AlwaysOn>Always on</AlwaysOn>
        </KindRow>
      </Group>
    </>
  );
}

type GroupProps = { title: string; hasChoices?: boolean; children: ReactNode };

/** The names of the columns are part of the name of each field. */
function Group({ title, hasChoices = false, children }: GroupProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <Head>
        <h3 id={headingId}>{title}</h3>
        {hasChoices && (
          <>
            <span aria-hidden="true">In Atrium</span>
            <span aria-hidden="true">Devices</span>
            <span aria-hidden="true">Email</span>
          </>
        )}
      </Head>
      <ul>{children}</ul>
    </section>
  );
}

type KindRowProps = { kind: NoticeKind; label: string; hint: string | undefined; children: ReactNode };

function KindRow({ kind, label, hint, children }: KindRowProps) {
  const row = useRef<HTMLLIElement>(null);
  const visit = useFragment(noticeKindFragment(kind));
  useEffect(() => {
    if (visit === undefined) return undefined;
    return focusWhenUncovered(
      () => row.current?.querySelector('input') ?? null,
      (field) => {
        row.current?.scrollIntoView({ block: 'center' });
        field.focus({ preventScroll: true });
      },
    );
  }, [visit]);
  return (
    <Row ref={row} data-target={visit !== undefined || undefined}>
      <div>
        <Text as="p">{label}</Text>
        {hint && <Caption>{hint}</Caption>}
      </div>
      {children}
    </Row>
  );
}

function KindFields({ control, kind, label }: ShownKindText & { control: NoticeControl }) {
  return (
    <>
      <FormField control={control} name={`${kind}.app`}>
        {({ value, onChange }) => (
          <Checkbox aria-label={`In Atrium: ${label}`} isSelected={value} onChange={onChange}>
            <PhoneLabel aria-hidden="true">In Atrium</PhoneLabel>
          </Checkbox>
        )}
      </FormField>
      <FormField control={control} name={`${kind}.push`}>
        {({ value, onChange }) => (
          <Checkbox aria-label={`Devices: ${label}`} isSelected={value} onChange={onChange}>
            <PhoneLabel aria-hidden="true">Devices</PhoneLabel>
          </Checkbox>
        )}
      </FormField>
      <Email>
        <PhoneLabel aria-hidden="true">Email</PhoneLabel>
        <FormField control={control} name={`${kind}.email`}>
          {(field) => <Select {...field} label={`Email: ${label}`} isLabelHidden options={emailOptions(kind)} />}
        </FormField>
      </Email>
    </>
  );
}

const COLUMNS = 'minmax(0, 1fr) 64px 64px 144px';

const Head = styled.header`
  display: grid;
  grid-template-columns: ${COLUMNS};
  align-items: baseline;
  gap: ${theme.space[4]};
  padding-bottom: ${theme.space[1]};
  border-bottom: 1px solid ${theme.color.line};
  > h3 {
    font: 600 ${theme.text.sm};
  }
  > span {
    font: 500 ${theme.text.xs};
    color: ${theme.color.text3};
  }
  ${theme.media.small} {
    grid-template-columns: minmax(0, 1fr);
    > span {
      display: none;
    }
  }
`;

const Row = styled.li`
  display: grid;
  grid-template-columns: ${COLUMNS};
  align-items: center;
  gap: ${theme.space[1]} ${theme.space[4]};
  min-height: 52px;
  padding: ${theme.space[2]} 0;
  & + & {
    border-top: 1px solid ${theme.color.line};
  }
  /* Wider than the row, so that its text stays aligned with the others. */
  &[data-target] {
    background: ${theme.color.accentSoft};
    box-shadow: 0 0 0 ${theme.space[2]} ${theme.color.accentSoft};
    clip-path: inset(0 calc(-1 * ${theme.space[2]}));
  }
  /* The fields are in one line if they fit. */
  ${theme.media.small} {
    display: flex;
    flex-wrap: wrap;
    padding: ${theme.space[3]} 0 ${theme.space[2]};
    > :first-child {
      width: 100%;
    }
  }
`;

const Email = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  ${theme.media.small} {
    grid-template-columns: auto 148px;
    align-items: center;
    gap: ${theme.space[2]};
  }
`;

const PhoneLabel = styled.span`
  @media (min-width: 640px) {
    display: none;
  }
`;

const AlwaysOn = styled.span`
  grid-column: 2 / -1;
  color: ${theme.color.text2};
`;
