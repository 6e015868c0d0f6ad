import { type KeyboardEvent, type ReactNode, useId, useState } from 'react';
import { styled } from 'styled-components';
import { bareButton } from '#ui/mixins.ts';
import { theme } from '#ui/theme.ts';

export type EmojiChoice = { value: string; name: string; glyph: ReactNode };

type Props = { title: string; choices: readonly EmojiChoice[]; onPick: (emoji: string) => void };

/** Emoji above those of Unicode, which are one stop in the tab order: arrow keys move between them. */
export function EmojiSection({ title, choices, onPick }: Props) {
  const titleId = useId();
  const [current, setCurrent] = useState(0);
  if (choices.length === 0) return null;
  const stop = Math.min(current, choices.length - 1);
  return (
    <Section aria-labelledby={titleId}>
      <h3 id={titleId}>{title}</h3>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the buttons in it */}
      <div onKeyDown={moveFocus}>
        {choices.map(({ value, name, glyph }, index) => (
          <button
            key={value}
            type="button"
            tabIndex={index === stop ? 0 : -1}
            aria-label={name}
            title={name}
            onFocus={() => setCurrent(index)}
            onClick={() => onPick(value)}
          >
            {glyph}
          </button>
        ))}
      </div>
    </Section>
  );
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = [...event.currentTarget.querySelectorAll('button')];
  const index = buttons.indexOf(document.activeElement as HTMLButtonElement);
  const target = buttons[targetIndex(event.key, index, buttons)];
  if (!target) return;
  event.preventDefault();
  target.focus();
}

function targetIndex(key: string, index: number, buttons: readonly HTMLElement[]): number {
  const columns = buttons.filter(({ offsetTop }) => offsetTop === buttons[0]?.offsetTop).length;
  const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns };
  if (key === 'Home') return 0;
  if (key === 'End') return buttons.length - 1;
  return index + (steps[key] ?? Number.NaN);
}

const Section = styled.section`
  flex: none;
  margin: 0 ${theme.space[1]};
  border-bottom: 1px solid ${theme.color.line};
  > h3 {
    padding: 6px ${theme.space[2]};
    font: 500 ${theme.text.xs};
    color: ${theme.color.text3};
  }
  /* Two rows and the beginning of the third, so that there is space for other emoji. */
  > div {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(36px, 1fr));
    max-height: 92px;
    overflow-y: auto;
  }
  > div > button {
    ${bareButton}
    display: grid;
    place-items: center;
    height: 36px;
    padding: 0;
    border-radius: ${theme.radius.md};
    font-size: 22px;
    line-height: 1;
    overflow: hidden;
    &:hover,
    &:focus-visible {
      background: ${theme.color.hover};
      box-shadow: inset 0 0 0 1px ${theme.color.line};
      outline: none;
    }
  }
`;
