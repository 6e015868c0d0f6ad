import { styled } from 'styled-components';
import { hiddenInPrint } from '../mixins.ts';

type Props = { text: string; printed: string };

/** Text that depends on the current time; printed pages show what stays true. */
export function PrintedText({ text, printed }: Props) {
  if (text === printed) return <bdi>{text}</bdi>;
  return (
    <bdi>
      <OnScreen>{text}</OnScreen>
      <OnPaper data-text={printed} />
    </bdi>
  );
}

const OnScreen = styled.span`
  ${hiddenInPrint}
`;

/* Generated content, so that screen readers and searches find the text only once. */
const OnPaper = styled.span`
  @media print {
    &::after {
      content: attr(data-text);
    }
  }
`;
