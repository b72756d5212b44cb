import {
  type ChannelFault,
  getPhoneChannels,
  type PhoneAdapter,
  type PhoneChannel,
  type PhoneSetup,
  setPhoneChannel,
  testPhoneChannel,
} from '@tour-ops/contract/notifications/phone-channels'
import { useEffect, useId, useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { entryProblem, refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/choice.tsx'
import { copyText } from '../../ui/copy-text.ts'
import { Field, Select, TextInput } from '../../ui/field.tsx'
import { SecretAddressDialog } from '../../ui/secret-address-dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'

type OnUnsaved = (isUnsaved: boolean) => void

/** How guests without an e-mail address are reached: by SMS or WhatsApp, each by an own service or a provider. */
export function PhoneChannels({ onUnsaved }: { onUnsaved: OnUnsaved }) {
  const titleId = useId()
  const { data } = useScreenQuery(callQuery(getPhoneChannels, {}))
  // here and not in the form, which begins again with what was saved
  const [secret, setSecret] = useState<string | null>(null)
  const [unsaved, setUnsaved] = useState<readonly PhoneChannel[]>([])
  const isUnsaved = unsaved.length > 0
  useEffect(() => {
    onUnsaved(isUnsaved)
    return () => onUnsaved(false)
  }, [isUnsaved, onUnsaved])
  const mark = (channel: PhoneChannel, isChanged: boolean) =>
    setUnsaved((before) => {
      if (before.includes(channel) === isChanged) return before
      return isChanged ? [...before, channel] : before.filter((one) => one !== channel)
    })
  return (
    <section className="card scroll-mt-20" id="phone" aria-labelledby={titleId}>
      <div className="border-b border-line px-4 py-3 lg:px-5">
        <h2 id={titleId} className="text-base font-semibold">
          {m.settings_mobile()}
        </h2>
        <p className="text-ink-2">{m.settings_mobile_text()}</p>
      </div>
      {data ? (
        data.channels.map((setup) => (
          <ChannelForm key={`${setup.channel} ${setup.version}`} setup={setup} onChanged={mark} onSecret={setSecret} />
        ))
      ) : (
        <SkeletonRows rows={6} />
      )}
      {secret !== null && (
        <SecretAddressDialog
          title={m.settings_mobile_secret_title()}
          text={m.settings_mobile_secret_text()}
          label={m.settings_mobile_secret()}
          copyLabel={m.settings_mobile_secret_copy()}
          copied={m.settings_mobile_secret_copied()}
          address={secret}
          onClose={() => setSecret(null)}
        />
      )}
    </section>
  )
}

const titles: Readonly<Record<PhoneChannel, () => string>> = {
  sms: m.settings_mobile_sms,
  whatsapp: m.settings_mobile_whatsapp,
}

const adapters: Readonly<Record<'off' | PhoneAdapter, () => string>> = {
  off: m.settings_mobile_off,
  webhook: m.settings_mobile_webhook,
  twilio: m.settings_mobile_twilio,
}
const adapterKeys = Object.keys(adapters) as (keyof typeof adapters)[]

interface Entries {
  readonly adapter: keyof typeof adapters
  readonly address: string
  readonly account: string
  readonly sender: string
  readonly token: string
  readonly isPreferred: boolean
}

const entriesOf = ({ adapter, address, account, sender, isPreferred }: PhoneSetup): Entries => ({
  adapter,
  address: address ?? '',
  account: account ?? '',
  sender: sender ?? '',
  token: '',
  isPreferred,
})

/** What is sent of them: only what the chosen way needs. */
const savedOf = ({ adapter, address, account, sender, token, isPreferred }: Entries) => ({
  adapter,
  address: adapter === 'webhook' ? address.trim() : null,
  account: adapter === 'twilio' ? account.trim() : null,
  sender: adapter === 'twilio' ? sender.trim() : null,
  ...(adapter === 'twilio' && token.trim() !== '' && { token: token.trim() }),
  isPreferred: adapter !== 'off' && isPreferred,
})

interface ChannelFormProps {
  setup: PhoneSetup
  onChanged: (channel: PhoneChannel, isChanged: boolean) => void
  /** A new one, shown this once. */
  onSecret: (secret: string) => void
}

function ChannelForm({ setup, onChanged, onSecret }: ChannelFormProps) {
  const { channel, version } = setup
  const [entries, setEntries] = useState(() => entriesOf(setup))
  const save = useCall(setPhoneChannel, {
    onSuccess: (answer) => {
      toast(m.settings_saved())
      if (answer.secret !== null) onSecret(answer.secret)
    },
  })
  const change = (part: Partial<Entries>) => setEntries({ ...entries, ...part })
  const isChanged = JSON.stringify(entries) !== JSON.stringify(entriesOf(setup))
  useEffect(() => {
    onChanged(channel, isChanged)
  }, [channel, isChanged, onChanged])
  const problem = (field: string) => entryProblem(save.error, field)
  const { adapter } = entries
  const send = (newSecret: boolean) => save.mutate({ channel, version, ...savedOf(entries), newSecret })
  return (
    <form
      className="flex flex-col gap-3 border-b border-line px-4 py-3 last:border-b-0 lg:px-5"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        send(false)
      }}
    >
      <Field label={titles[channel]()}>
        <Select
          value={adapter}
          onChange={(event) => change({ adapter: event.target.value as Entries['adapter'] })}
          options={adapterKeys.map((key) => ({ value: key, label: adapters[key]() }))}
        />
      </Field>
      {adapter === 'webhook' && (
        <Field
          label={m.settings_mobile_address()}
          hint={m.settings_mobile_address_hint()}
          error={problem('address')}
          required
        >
          <TextInput
            type="url"
            dir="ltr"
            maxLength={500}
            value={entries.address}
            onChange={(event) => change({ address: event.target.value })}
          />
        </Field>
      )}
      {adapter === 'twilio' && <ProviderFields {...{ setup, entries, change, problem }} />}
      {adapter !== 'off' && (
        <Checkbox
          label={m.settings_mobile_preferred()}
          checked={entries.isPreferred}
          onChange={(event) => change({ isPreferred: event.target.checked })}
        />
      )}
      {save.error && !save.error.details.fieldIssues && (
        <Banner tone="bad" role="alert">
          {refusalText(save.error)}
        </Banner>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" pending={save.isPending} disabled={!isChanged}>
          {m.ui_form_save()}
        </Button>
        {setup.adapter === 'webhook' && !isChanged && (
          <Button pending={save.isPending} onClick={() => send(true)}>
            {m.settings_mobile_new_secret()}
          </Button>
        )}
      </div>
      {setup.adapter !== 'off' && !isChanged && <AnswersAddress setup={setup} />}
      {setup.adapter !== 'off' && !isChanged && <ChannelTest setup={setup} />}
    </form>
  )
}

interface ProviderFieldsProps {
  setup: PhoneSetup
  entries: Entries
  change: (part: Partial<Entries>) => void
  problem: (field: string) => string | undefined
}

function ProviderFields({ setup, entries, change, problem }: ProviderFieldsProps) {
  const hasToken = setup.adapter === 'twilio' && setup.account === entries.account
  return (
    <>
      <Field label={m.settings_mobile_account()} error={problem('account')} required>
        <TextInput
          dir="ltr"
          maxLength={64}
          autoComplete="off"
          value={entries.account}
          onChange={(event) => change({ account: event.target.value })}
        />
      </Field>
      <Field
        label={m.settings_mobile_token()}
        hint={hasToken ? m.settings_mobile_token_stored() : undefined}
        error={problem('token')}
        required={!hasToken}
      >
        <TextInput
          type="password"
          dir="ltr"
          maxLength={200}
          autoComplete="off"
          value={entries.token}
          onChange={(event) => change({ token: event.target.value })}
        />
      </Field>
      <Field
        label={m.settings_mobile_sender()}
        hint={setup.channel === 'whatsapp' ? m.settings_mobile_sender_whatsapp() : m.settings_mobile_sender_hint()}
        error={problem('sender')}
        required
      >
        <TextInput
          dir="ltr"
          maxLength={64}
          value={entries.sender}
          onChange={(event) => change({ sender: event.target.value })}
        />
      </Field>
    </>
  )
}

/** Where the provider says what became of messages and what guests answer; without a public address of the server, how to get one. */
function AnswersAddress({ setup: { adapter, answersAt } }: { setup: PhoneSetup }) {
  if (answersAt === null) return <Banner tone="info">{m.settings_mobile_answers_none()}</Banner>
  const hint = adapter === 'twilio' ? m.settings_mobile_answers_twilio() : m.settings_mobile_answers_webhook()
  return (
    <div className="flex flex-wrap items-start gap-2">
      <Field className="min-w-[200px] flex-1" label={m.settings_mobile_answers()} hint={hint}>
        <TextInput readOnly dir="ltr" value={answersAt} onFocus={(event) => event.target.select()} />
      </Field>
      <Button className="sm:mt-6" onClick={() => void copyText(answersAt, m.settings_mobile_answers_copied())}>
        {m.settings_mobile_answers_copy()}
      </Button>
    </div>
  )
}

const faults: Readonly<Record<ChannelFault, () => string>> = {
  private: m.settings_mobile_fault_private,
  silent: m.settings_mobile_fault_silent,
  late: m.settings_mobile_fault_late,
  refused: m.settings_mobile_fault_refused,
  busy: m.settings_mobile_fault_busy,
  unreadable: m.settings_mobile_fault_unreadable,
}

/** A short text to a number of the reader, by what is saved. */
function ChannelTest({ setup: { channel, version } }: { setup: PhoneSetup }) {
  const [to, setTo] = useState('')
  const test = useCall(testPhoneChannel)
  const problem = entryProblem(test.error, 'to')
  const answered = test.data
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-start gap-2">
        <Field className="min-w-[200px] flex-1" label={m.settings_mobile_test_to()} error={problem}>
          <TextInput
            type="tel"
            dir="ltr"
            maxLength={40}
            placeholder="+44 7700 900118"
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </Field>
        <Button
          className="sm:mt-6"
          pending={test.isPending}
          disabled={to.trim() === ''}
          onClick={() => test.mutate({ channel, version, to })}
        >
          {m.settings_mobile_test()}
        </Button>
      </div>
      {test.error && problem === undefined && (
        <Banner tone="bad" role="alert">
          {refusalText(test.error)}
        </Banner>
      )}
      {answered && answered.fault === null && (
        <Banner tone="info" role="status">
          {m.settings_mobile_test_sent()}
        </Banner>
      )}
      {answered && answered.fault !== null && (
        <Banner tone="bad" role="alert" title={faults[answered.fault]()}>
          <bdi>{answered.answer}</bdi>
        </Banner>
      )}
    </div>
  )
}
