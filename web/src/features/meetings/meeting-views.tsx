import { NavLink } from 'react-router-dom';
import { styled } from 'styled-components';
import { theme } from '#ui/theme.ts';

export const CALENDAR_PATH = '/meetings/calendar';

export function MeetingViews() {
  return (
    <Links aria-label="Meeting views">
      <NavLink to="/meetings" end>
        Overview
      </NavLink>
      <NavLink to={CALENDAR_PATH}>Calendar</NavLink>
    </Links>
  );
}

const Links = styled.nav`
  display: inline-flex;
  flex: none;
  padding: 3px;
  border-radius: ${theme.radius.md};
  background: ${theme.color.sunken};
  > a {
    display: grid;
    place-items: center;
    min-height: calc(${theme.control} - 6px);
    padding: 0 12px;
    border-radius: ${theme.radius.sm};
    font: 500 ${theme.text.sm};
    color: ${theme.color.text2};
    text-decoration: none;
  }
  ${theme.media.small} {
    > a {
      padding: 0 8px;
    }
  }
  > a:hover {
    color: ${theme.color.text};
  }
  > a[aria-current] {
    background: ${theme.color.selected};
    color: ${theme.color.text};
    box-shadow: ${theme.shadow.low};
  }
  > a:focus-visible {
    outline: none;
    box-shadow: ${theme.shadow.focus};
  }
`;
