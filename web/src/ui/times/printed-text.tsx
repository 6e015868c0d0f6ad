import { styled } from 'styled-components';

type Props = { text: string; printed: string };

/** Text that depends on the current time; printed pages show what stays true. */
export function PrintedText({ text, printed }: Props) {
  return (
    <bdi>
      <OnScreen>{text}</OnScreen>
      <OnPaper data-text={printed} />
    </bdi>
  );
}

const OnScreen = styled.span`
  @media print {
    display: none;
  }
`;

/* Generated content, so that screen readers and searches find the text only once. */
const OnPaper = styled.span`
  @media print {
    &::after {
      content: attr(data-text);
    }
  }
`;
