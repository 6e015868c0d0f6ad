import { styled } from 'styled-components';
import { theme } from './theme.ts';

export function Mark({ size = 26 }: { size?: number }) {
  return (
    <Arches width={size} height={size} viewBox="0 0 26 26" fill="none" aria-hidden="true">
      <path d="M3 24V12a10 10 0 0 1 20 0v12" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
      <path d="M9 24V13a4 4 0 0 1 8 0v11" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" />
    </Arches>
  );
}

export function Logo({ size = 26 }: { size?: number }) {
  return (
    <Brand>
      <Mark size={size} />
      Atrium
    </Brand>
  );
}

const Arches = styled.svg`
  color: ${theme.color.accent};
`;

const Brand = styled.span`
  display: inline-flex;
  align-items: center;
  gap: ${theme.space[3]};
  font: 600 ${theme.text.lg};
  letter-spacing: -0.01em;
  color: ${theme.color.text};
`;
