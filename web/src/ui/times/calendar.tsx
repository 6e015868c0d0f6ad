import type { ComponentProps } from 'react';
import { DayPicker } from 'react-day-picker';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';
import { dayInWords, dayOfDate } from './day.ts';

/** A month whose weeks start on Sunday; `mode` is single, multiple or range. `modifiers={{ marked: days }}` puts a dot under days. */
export function Calendar(props: ComponentProps<typeof DayPicker>) {
  return (
    <Frame>
      <DayPicker
        weekStartsOn={0}
        showOutsideDays
        modifiersClassNames={{ marked: 'marked' }}
        labels={{ labelDayButton: (date) => dayInWords(dayOfDate(date)) }}
        {...props}
      />
    </Frame>
  );
}

const Frame = styled.div`
  .rdp-root {
    position: relative;
    width: max-content;
  }
  .rdp-months {
    display: flex;
    flex-wrap: wrap;
    gap: ${theme.space[4]};
  }
  .rdp-month_caption {
    display: flex;
    align-items: center;
    height: 36px;
    padding: 0 ${theme.space[2]};
    font: 600 ${theme.text.md};
  }
  .rdp-nav {
    position: absolute;
    top: 0;
    right: 0;
    display: flex;
  }
  .rdp-button_previous,
  .rdp-button_next {
    display: grid;
    place-items: center;
    width: 36px;
    height: 36px;
    border: 0;
    border-radius: ${theme.radius.md};
    background: transparent;
    color: ${theme.color.text2};
    cursor: pointer;
    &:hover {
      background: ${theme.color.hover};
    }
  }
  .rdp-chevron {
    width: 16px;
    height: 16px;
    fill: currentColor;
  }
  .rdp-month_grid {
    border-collapse: collapse;
    margin-top: ${theme.space[1]};
  }
  .rdp-weekday {
    width: 36px;
    height: 28px;
    padding: 0;
    font: 500 ${theme.text.xs};
    color: ${theme.color.text3};
    text-align: center;
  }
  .rdp-day {
    position: relative;
    padding: 0;
    text-align: center;
  }
  .rdp-day_button {
    width: 36px;
    height: 36px;
    border: 0;
    border-radius: ${theme.radius.md};
    background: transparent;
    font-variant-numeric: tabular-nums;
    cursor: pointer;
    &:hover {
      background: ${theme.color.hover};
    }
    &:disabled {
      color: ${theme.color.text3};
      opacity: 0.5;
      cursor: default;
    }
  }
  .rdp-outside .rdp-day_button {
    color: ${theme.color.text3};
  }
  .rdp-today .rdp-day_button {
    font-weight: 600;
    color: ${theme.color.accent};
  }
  .rdp-selected .rdp-day_button {
    background: ${theme.color.accent};
    color: ${theme.color.onAccent};
    font-weight: 600;
  }
  .rdp-range_middle .rdp-day_button {
    border-radius: 0;
    background: ${theme.color.accentSoft};
    color: ${theme.color.text};
    font-weight: 400;
  }
  .marked::after {
    content: '';
    position: absolute;
    bottom: 4px;
    left: calc(50% - 2.5px);
    width: 5px;
    height: 5px;
    border-radius: ${theme.radius.full};
    background: ${theme.color.accent};
    pointer-events: none;
  }
  .marked.rdp-selected::after {
    background: ${theme.color.onAccent};
  }
  ${theme.media.small} {
    .rdp-root,
    .rdp-months,
    .rdp-month,
    .rdp-month_grid {
      width: 100%;
    }
    .rdp-weekday,
    .rdp-day_button {
      width: 100%;
      min-width: 40px;
    }
    .rdp-day_button,
    .rdp-button_previous,
    .rdp-button_next {
      height: 44px;
    }
    .rdp-button_previous,
    .rdp-button_next {
      width: 44px;
    }
    .rdp-month_caption {
      height: 44px;
    }
  }
`;
