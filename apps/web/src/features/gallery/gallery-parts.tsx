import {
  Bookmark,
  Check,
  CheckCheck,
  CircleDashed,
  Copy,
  Inbox,
  Leaf,
  List,
  CalendarDays,
  MessageSquare,
  Moon,
  Nut,
  Plus,
} from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Avatar } from '../../ui/avatar.tsx'
import { Banner } from '../../ui/banner.tsx'
import { Button, type ButtonSize, type ButtonVariant } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Calm, Chip, ChoiceChip, Flag, Flags, StatusChip, Tag, type ChipStatus, type Tone } from '../../ui/chip.tsx'
import { Box, Checkbox, RadioCards, Stepper, Switch } from '../../ui/choice.tsx'
import { Definition, DefinitionList, Figures } from '../../ui/definition-list.tsx'
import { Empty, NoMatch } from '../../ui/empty.tsx'
import { ErrorPanel } from '../../ui/error-panel.tsx'
import { DateInput, TimeInput } from '../../ui/date-field.tsx'
import { Field, NumberInput, PasswordInput, Select, TextArea, TextInput } from '../../ui/field.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Kbd } from '../../ui/kbd.tsx'
import { LoadBar, PartsBar } from '../../ui/load-bar.tsx'
import { Mark } from '../../ui/mark.tsx'
import { MonthGrid } from '../../ui/month-grid.tsx'
import { LoadingBar, ProgressBar } from '../../ui/progress.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Segments, Tabs } from '../../ui/tabs.tsx'
import { toggleTheme } from '../../ui/theme.ts'
import { toast } from '../../ui/toast.tsx'

const variants: ButtonVariant[] = ['primary', 'secondary', 'ghost', 'danger']
const sizes: ButtonSize[] = ['sm', 'md', 'lg', 'xl']
const tones: Tone[] = ['neutral', 'info', 'ok', 'warn', 'bad', 'gap']
const statuses: ChipStatus[] = [
  'draft',
  'scheduled',
  'guaranteed',
  'boarding',
  'on_time',
  'unassigned',
  'completed',
  'cancelled',
  'aborted',
]

const Line = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3 py-1.5">{children}</div>
)

/** Everything inside a page. */
export function GalleryParts() {
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <Buttons />
      <Statuses />
      <Fields />
      <Choices />
      <Notices />
      <Records />
      <Waiting />
      <Calendar />
    </div>
  )
}

function Buttons() {
  return (
    <Card padded title="Buttons" actions={<IconButton label="Other theme" icon={Moon} onClick={toggleTheme} />}>
      {variants.map((variant) => (
        <Line key={variant}>
          {sizes.map((size) => (
            <Button key={size} {...{ variant, size }} icon={Plus}>
              New
            </Button>
          ))}
          <Button variant={variant} pending>
            Saving
          </Button>
          <Button variant={variant} disabled>
            Off
          </Button>
        </Line>
      ))}
      <Line>
        <Button variant="primary" disabledReason="One seat short.">
          Hold 3 seats
        </Button>
        <Button variant="primary" disabledReason="One seat short." reasonPlace="below">
          Hold 3 seats
        </Button>
        <IconButton label="Copy" icon={Copy} />
        <IconButton label="Copy" icon={Copy} small disabled />
        <a className="link" href="#top">
          Open departure
        </a>
        <Kbd keys={['Ctrl', 'K']} />
        <Mark />
        <Avatar name="Íris Jónsdóttir" tinted size={34} />
        <Avatar name="Björn" />
      </Line>
    </Card>
  )
}

function Statuses() {
  const [pressed, setPressed] = useState('All')
  return (
    <Card padded title="Status">
      <Line>
        {statuses.map((status) => (
          <StatusChip key={status} status={status} />
        ))}
        <StatusChip status={{ status: 'delayed', delayMin: 18 }} />
        <StatusChip status={{ status: 'at_risk', delayMin: 47 }} large />
      </Line>
      <Line>
        {tones.map((tone) => (
          <Chip key={tone} tone={tone} icon={MessageSquare}>
            {tone}
          </Chip>
        ))}
      </Line>
      <div className="selected -mx-4 flex flex-wrap gap-3 px-4 py-1.5">
        {tones.map((tone) => (
          <Chip key={tone} tone={tone} icon={MessageSquare}>
            {tone}
          </Chip>
        ))}
        <Flag tone="warn" icon={Nut}>
          Nut allergy
        </Flag>
      </div>
      <Line>
        <Calm tone="ok" icon={CheckCheck}>
          Aboard <span className="num">08:21</span>
        </Calm>
        <Calm icon={CircleDashed}>Expected</Calm>
        <Calm icon={Check}>Confirmed</Calm>
        <Flags
          flags={[
            { label: 'Vegetarian', icon: Leaf },
            { label: 'Nut allergy', tone: 'warn', icon: Nut },
            { label: 'No stairs' },
          ]}
        />
        <Tag onRemove={() => toast('Removed')} removeLabel="Remove VIP">
          VIP
        </Tag>
      </Line>
      <Line>
        {['All', 'To come', 'Aboard', 'No-show'].map((word, at) => (
          <ChoiceChip key={word} pressed={word === pressed} count={18 - at * 4} onClick={() => setPressed(word)}>
            {word}
          </ChoiceChip>
        ))}
      </Line>
      <Line>
        <LoadBar value={18} capacity={31} />
        <LoadBar value={20} capacity={19} />
        <LoadBar value={0} capacity={8} hideBar />
      </Line>
      <PartsBar
        parts={[
          { label: 'aboard', value: 14, tone: 'done' },
          { label: 'to come', value: 3, tone: 'open' },
          { label: 'no-show', value: 1, tone: 'missing' },
        ]}
      />
    </Card>
  )
}

function Fields() {
  const [query, setQuery] = useState('Amara')
  const [day, setDay] = useState('2026-11-20')
  const [time, setTime] = useState('09:00')
  return (
    <Card padded title="Fields">
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Name" hint="As in the passport">
          <TextInput placeholder="Amara Okafor" />
        </Field>
        <Field label="Late from" error="At least 5.">
          <TextInput defaultValue="2" unit="min" />
        </Field>
        <Field label="Changed">
          <NumberInput defaultValue={12} unit="min" changed />
        </Field>
        <Field label="Disabled">
          <TextInput defaultValue="Fixed" disabled />
        </Field>
        <Field label="Password">
          <PasswordInput />
        </Field>
        <Field label="Tour">
          <Select options={[{ value: 'a', label: 'Golden Circle' }]} />
        </Field>
        <Field label="Quiet">
          <Select quiet options={[{ value: 'a', label: 'do not use' }]} placeholder="goes to" />
        </Field>
        <Field label="Day">
          <DateInput value={day} onChange={setDay} />
        </Field>
        <Field label="Start">
          <TimeInput value={time} onChange={setTime} />
        </Field>
        <SearchInput className="self-end" label="Search" value={query} onChange={setQuery} />
        <Field label="Note" className="sm:col-span-2">
          <TextArea />
        </Field>
      </div>
    </Card>
  )
}

function Choices() {
  const [mode, setMode] = useState<'hold' | 'confirm' | 'other'>('hold')
  const [count, setCount] = useState(0)
  const [tab, setTab] = useState('now')
  const [view, setView] = useState('table')
  return (
    <Card padded title="Choices">
      <Line>
        <Box label="One" checked onChange={() => toast('Pressed')} />
        <Box label="None" checked={false} onChange={() => toast('Pressed')} />
        <Box label="Some" checked={false} mixed onChange={() => toast('Pressed')} />
        <Box label="Off" checked disabled onChange={() => toast('Pressed')} />
        <Checkbox label="Has agreed" hint="Read out on the phone" defaultChecked />
        <Stepper label="Adult" value={count} onChange={setCount} />
      </Line>
      <Switch label="Tell the guide" hint="By a push message" defaultChecked />
      <Switch label="Off" className="my-2" />
      <RadioCards
        label="Hold or confirm"
        options={[
          { value: 'hold', label: 'Hold', hint: 'Kept until today 18:00, then given back.' },
          { value: 'confirm', label: 'Confirm', hint: 'Sold now. Amara gets the confirmation.' },
          { value: 'other', label: 'Not now', hint: 'Needs a price', disabled: true },
        ]}
        value={mode}
        onChange={setMode}
      />
      <div className="mt-3 border-b border-line">
        <Tabs
          label="Views"
          items={[
            { key: 'all', label: 'All', count: 420 },
            { key: 'now', label: 'On tour now', count: 84 },
            { key: 'own', label: 'This weekend', count: 38, icon: Bookmark, iconLabel: 'Own view' },
          ]}
          value={tab}
          onChange={setTab}
        />
      </div>
      <div className="mt-3">
        <Segments
          label="Show as"
          items={[
            { key: 'table', label: 'Table', icon: List },
            { key: 'calendar', label: 'Calendar', icon: CalendarDays },
          ]}
          value={view}
          onChange={setView}
        />
      </div>
    </Card>
  )
}

function Notices() {
  return (
    <Card padded title="Notices">
      <div className="flex flex-col gap-2">
        {tones.map((tone) => (
          <Banner key={tone} tone={tone}>
            {tone}: showing data from 13:50.
          </Banner>
        ))}
        <Banner
          tone="bad"
          framed
          title="2 seats left, you asked for 3"
          actions={
            <>
              <Button variant="primary">Join the waitlist with 3</Button>
              <Button>Hold the 2 seats</Button>
            </>
          }
        >
          One seat was sold at 13:52, while you were typing. Nothing was booked and your entries are kept.
        </Banner>
      </div>
      <ErrorPanel message="The list could not be read." requestId="7f3a9c2e41" onRetry={() => toast('Again')} />
    </Card>
  )
}

function Records() {
  return (
    <div className="flex flex-col gap-4">
      <Figures
        figures={[
          { label: 'Running now', value: 3, note: '12 today, 1 cancelled' },
          { label: 'Guests today', value: 159, note: '73 aboard' },
          { label: 'Started on time', value: '100 %', note: '1 of 1 starts' },
        ]}
      />
      <Card title="Contact">
        <DefinitionList>
          <Definition label="Phone">+44 7700 900118</Definition>
          <Definition label="E-mail">amara.okafor@example.com</Definition>
          <Definition label="Medical" />
        </DefinitionList>
      </Card>
      <Card>
        <Empty title="No incidents" icon={Inbox} actions={<Button icon={Plus}>Report one</Button>}>
          What happens on this tour and needs more than a note stands here.
        </Empty>
      </Card>
      <Card>
        <NoMatch onClear={() => toast('Cleared')} />
      </Card>
    </div>
  )
}

function Waiting() {
  return (
    <Card title="Waiting">
      <LoadingBar />
      <div className="p-4">
        <ProgressBar label="Import" value={31_000} max={50_000} />
      </div>
      <SkeletonRows rows={4} />
    </Card>
  )
}

function Calendar() {
  const [month, setMonth] = useState('2026-11')
  return (
    <Card>
      <MonthGrid
        month={month}
        onMonthChange={setMonth}
        today="2026-11-20"
        selected="2026-11-23"
        onDayPress={(date) => toast(date)}
        renderDay={(date) => (date.endsWith('5') ? <span className="text-xs">3 departures</span> : null)}
      />
    </Card>
  )
}
