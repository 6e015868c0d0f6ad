import { useState } from 'react';
import { styled } from 'styled-components';
import { displayName } from '#entities/user/user-labels.ts';
import { UserPicker } from '#entities/user/users-field.tsx';
import { dayOfDate } from '#lib/time/day.ts';
import { sampleUsers } from '#test/sample-users.ts';
import { ComboBox } from '#ui/fields/combo-box.tsx';
import { NumberField } from '#ui/fields/number-field.tsx';
import { RadioGroup } from '#ui/fields/radio-group.tsx';
import { SearchField } from '#ui/fields/search-field.tsx';
import { Select } from '#ui/fields/select.tsx';
import { Slider } from '#ui/fields/slider.tsx';
import { TextArea } from '#ui/fields/text-area.tsx';
import { PasswordField, TextField } from '#ui/fields/text-field.tsx';
import { Checkbox, Switch } from '#ui/fields/toggles.tsx';
import { DropZone } from '#ui/files/drop-zone.tsx';
import { Card } from '#ui/pages/card.tsx';
import { Tabs } from '#ui/pages/tabs.tsx';
import { Calendar } from '#ui/times/calendar.tsx';
import { DatePicker } from '#ui/times/date-picker.tsx';
import { TimePicker } from '#ui/times/time-picker.tsx';

const priorities = (['urgent', 'high', 'medium', 'low'] as const).map((value) => ({ value, label: value }));
const userOptions = sampleUsers.map((user) => ({ value: user._id, label: displayName(user), description: user.email }));

export function GalleryFields() {
  const [text, setText] = useState('');
  const [choice, setChoice] = useState<'urgent' | 'high' | 'medium' | 'low'>('high');
  const [person, setPerson] = useState('');
  const [chosenIds, setChosenIds] = useState<string[]>([sampleUsers[1]?._id ?? '']);
  const [amount, setAmount] = useState<number | null>(12500);
  const [progress, setProgress] = useState(40);
  const [day, setDay] = useState(dayOfDate(new Date()));
  const [time, setTime] = useState('14:30');
  const [tab, setTab] = useState<'one' | 'two'>('one');
  return (
    <Columns>
      <Card title="Text">
        <Body>
          <SearchField label="Search projects" value={text} onChange={setText} />
          <TextField
            label="Email"
            type="email"
            value={text}
            onChange={setText}
            isRequired
            placeholder="you@example.com"
          />
          <TextField label="Title" value="" onChange={setText} error="Project title is required" isRequired />
          <PasswordField label="Password" value="Secret12!" onChange={setText} description="8 to 100 characters" />
          <TextArea label="Description" value={text} onChange={setText} maxLength={2000} showsCount />
          <TextField label="Email" value="maya@example.com" onChange={setText} isDisabled />
          <NumberField label="Budget" value={amount} onChange={setAmount} min={0} />
        </Body>
      </Card>
      <Card title="Choices">
        <Body>
          <Select label="Priority" options={priorities} value={choice} onChange={setChoice} isRequired />
          <ComboBox
            label="Project manager"
            options={userOptions}
            value={person}
            onChange={setPerson}
            placeholder="Type a name"
          />
          <Checkbox defaultSelected>Recurring meeting</Checkbox>
          <Switch defaultSelected>Reminders</Switch>
          <RadioGroup label="Visibility" options={priorities.slice(0, 3)} value={choice} onChange={setChoice} />
          <Slider label="Progress" value={progress} onChange={setProgress} description="Progress can only increase" />
          <Pair>
            <DatePicker label="Date" value={day} onChange={setDay} isRequired />
            <TimePicker label="Start time" value={time} onChange={setTime} />
          </Pair>
          <Tabs
            label="Meetings"
            selected={tab}
            onSelect={setTab}
            items={[
              { key: 'one', label: 'Upcoming', count: 12, content: 'What comes.' },
              { key: 'two', label: 'Past', count: 3, content: 'What was.' },
            ]}
          />
        </Body>
      </Card>
      <Card title="People">
        <Body>
          <UserPicker label="Team members" users={sampleUsers} value={chosenIds} onChange={setChosenIds} />
          <DropZone onFiles={() => undefined} hint="Up to 512 MB each">
            Drop files here or click to choose
          </DropZone>
        </Body>
      </Card>
      <Card title="Calendar">
        <Body>
          <Calendar markedDays={{ days: new Set([dayOfDate(new Date())]), description: 'has meetings' }} />
        </Body>
      </Card>
    </Columns>
  );
}

const Columns = styled.div`
  display: grid;
  grid-template-columns: repeat(auto-fit, minmax(min(380px, 100%), 1fr));
  gap: 24px;
  align-items: start;
`;

const Body = styled.div`
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 16px;
  padding: 20px;
`;

const Pair = styled.div`
  display: grid;
  grid-template-columns: 1fr 1fr;
  gap: 16px;
`;
