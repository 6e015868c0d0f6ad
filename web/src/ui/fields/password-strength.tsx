import { Check, Circle } from 'lucide-react';
import { styled } from 'styled-components';
import { theme } from '../theme.ts';
import { VisuallyHidden } from '../visually-hidden.tsx';

/** What the specification wants of a password (section 5), in few words. */
const RULES: readonly { words: string; pattern: RegExp }[] = [
  { words: '8 characters or more', pattern: /^.{8,}$/s },
  { words: 'A lowercase letter', pattern: /[a-z]/ },
  { words: 'An uppercase letter', pattern: /[A-Z]/ },
  { words: 'A number', pattern: /\d/ },
  { words: 'One of @$!%*?&#', pattern: /[@$!%*?&#]/ },
];

/** What a new password still lacks, as it is typed. */
export function PasswordStrength({ password }: { password: string }) {
  const met = RULES.filter(({ pattern }) => pattern.test(password)).length;
  return (
    <Box>
      <Meter
        role="meter"
        aria-label="Password strength"
        aria-valuemin={0}
        aria-valuemax={RULES.length}
        aria-valuenow={met}
        aria-valuetext={`${met} of ${RULES.length} requirements met`}
      >
        {RULES.map(({ words }, index) => (
          <Part key={words} $isOn={index < met} $isAll={met === RULES.length} />
        ))}
      </Meter>
      <List>
        {RULES.map(({ words, pattern }) => (
          <Rule key={words} words={words} isMet={pattern.test(password)} />
        ))}
      </List>
    </Box>
  );
}

function Rule({ words, isMet }: { words: string; isMet: boolean }) {
  return (
    <Line $isMet={isMet}>
      {isMet ? <Check aria-hidden="true" /> : <Circle aria-hidden="true" />}
      <span>
        {words}
        <VisuallyHidden>{isMet ? ', met' : ', not met yet'}</VisuallyHidden>
      </span>
    </Line>
  );
}

const Box = styled.div`
  display: grid;
  gap: ${theme.space[2]};
  margin-top: -${theme.space[2]};
`;

const Meter = styled.div`
  display: grid;
  grid-template-columns: repeat(5, 1fr);
  gap: ${theme.space[1]};
`;

const Part = styled.span<{ $isOn: boolean; $isAll: boolean }>`
  height: 4px;
  border-radius: ${theme.radius.full};
  background: ${({ $isOn, $isAll }) => {
    if (!$isOn) return theme.color.line;
    return $isAll ? theme.color.success : theme.color.warning;
  }};
  transition: background ${theme.motion.fast};
`;

const List = styled.ul`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 2px ${theme.space[3]};
`;

const Line = styled.li<{ $isMet: boolean }>`
  display: flex;
  align-items: center;
  gap: 6px;
  font: ${theme.text.sm};
  color: ${({ $isMet }) => ($isMet ? theme.color.success : theme.color.text2)};
  svg {
    flex: none;
    width: 14px;
    height: 14px;
    ${({ $isMet }) => !$isMet && 'transform: scale(0.5);'}
  }
`;
