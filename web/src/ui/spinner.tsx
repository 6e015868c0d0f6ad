import { keyframes, styled } from 'styled-components';
import { theme } from './theme.ts';
import { VisuallyHidden } from './visually-hidden.tsx';

type Props = { size?: number; label?: string };

export function Spinner({ size = 16, label = '' }: Props) {
  return (
    <Wrap role={label ? 'status' : undefined}>
      <Ring width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
        <circle cx="12" cy="12" r="9.5" stroke="currentColor" strokeWidth="2.5" opacity="0.22" />
        <path d="M21.5 12A9.5 9.5 0 0 0 12 2.5" stroke="currentColor" strokeWidth="2.5" strokeLinecap="round" />
      </Ring>
      {label && <VisuallyHidden>{label}</VisuallyHidden>}
    </Wrap>
  );
}

export function SpinnerPage() {
  return (
    <Page>
      <Spinner size={28} label="Loading" />
    </Page>
  );
}

const turn = keyframes`to { transform: rotate(360deg); }`;

const Wrap = styled.span`
  display: inline-flex;
`;

const Ring = styled.svg`
  animation: ${turn} 900ms linear infinite;
  ${theme.media.still} {
    animation-duration: 3s;
  }
`;

const Page = styled.div`
  min-height: 60dvh;
  display: grid;
  place-items: center;
  color: ${theme.color.text3};
`;
