import {
  getOwnPreferences,
  type NoticeChannel,
  noticeChannels,
  noticeChannelsFor,
  type NoticeEvent,
  noticeEvents,
  type OwnPreferences as Preferences,
  updateOwnPreferences,
} from '@tour-ops/contract/settings/settings'
import { isLocale } from '@tour-ops/contract/locales'
import { getSession } from '@tour-ops/contract/identity/session'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { localeNames, locales } from '../../ui/locale.ts'
import { useScreenQuery } from '../../app/screen-query.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Box } from '../../ui/choice.tsx'
import { Field, Select } from '../../ui/field.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'
import { noticeChannelLabels } from './notice-channel-labels.ts'
import { PushBrowsers } from './push-browsers.tsx'

const eventLabels: Record<NoticeEvent, () => string> = {
  assignment_offered: m.settings_event_offer,
  assignment_decided: m.settings_event_assignment_decided,
  assignment_changed: m.settings_event_assignment_changed,
  duty_reminder: m.settings_event_duty_reminder,
  duty_start_missing: m.settings_event_duty_start_missing,
  plan_unopened: m.settings_event_plan_unopened,
  import_finished: m.settings_event_import,
  access_asked: m.settings_event_access,
  router_silent: m.settings_event_router,
  help_called: m.settings_event_help_called,
  alert_escalated: m.settings_event_escalated,
  incident_updated: m.settings_event_incident_updated,
  poor_rating: m.settings_event_poor_rating,
  guest_wrote: m.settings_event_guest_wrote,
  message_undelivered: m.settings_event_message_undelivered,
  link_opened_first: m.settings_event_link_opened_first,
  webhook_off: m.settings_event_webhook_off,
  daily_digest: m.settings_event_daily_digest,
}

/** Where a person is notified of which event, for every role; saved at once. See ARCHITECTURE.md, "Where the specification is silent". */
export function OwnPreferences() {
  const { data } = useScreenQuery(callQuery(getOwnPreferences, {}))
  const save = useCall(updateOwnPreferences, {
    onSuccess: () => toast(m.settings_saved()),
  })
  const titleId = useId()
  const shown = save.isPending ? save.variables.settings : data?.settings
  return (
    <section className="card" id="mine" aria-labelledby={titleId}>
      <div className="border-b border-line px-4 py-3 lg:px-5">
        <h2 id={titleId} className="text-base font-semibold">
          {m.settings_mine()}
        </h2>
        <p className="text-ink-2">{m.settings_mine_text()}</p>
      </div>
      {save.error && (
        <Banner tone="bad" role="alert">
          {refusalText(save.error)}
        </Banner>
      )}
      {shown ? (
        <PreferenceFields
          settings={{ events: shown.events ?? {}, language: shown.language ?? null }}
          onChange={(settings) => save.mutate({ settings })}
        />
      ) : (
        <SkeletonRows rows={3} />
      )}
    </section>
  )
}

interface PreferenceFieldsProps {
  settings: Preferences
  onChange: (settings: Preferences) => void
}

function PreferenceFields({ settings, onChange }: PreferenceFieldsProps) {
  const { can } = useAccess()
  const session = useQuery(callQuery(getSession, {})).data
  const reaches: Record<NoticeEvent, boolean> = {
    assignment_offered: Boolean(session?.staffId),
    assignment_decided: Boolean(session?.staffId),
    assignment_changed: Boolean(session?.staffId),
    duty_reminder: Boolean(session?.staffId),
    duty_start_missing: Boolean(session?.staffId),
    plan_unopened: can('departures:dispatch'),
    import_finished: can('travelers:manage'),
    access_asked: can('members:manage'),
    router_silent: can('settings:manage'),
    help_called: can('alerts:manage'),
    alert_escalated: can('alerts:manage'),
    incident_updated: can('incidents:manage'),
    poor_rating: can('departures:manage'),
    guest_wrote: can('bookings:manage'),
    message_undelivered: can('notifications:send'),
    link_opened_first: can('links:manage'),
    webhook_off: can('settings:manage'),
    daily_digest: can('departures:dispatch'),
  }
  const { events, language } = settings
  const concerning = noticeEvents.filter((event) => reaches[event])
  const toggle = (event: NoticeEvent, channel: NoticeChannel) => {
    const now = noticeChannelsFor(events, event)
    const next = now.includes(channel) ? now.filter((one) => one !== channel) : [...now, channel]
    onChange({ ...settings, events: { ...events, [event]: next } })
  }
  return (
    <>
      {concerning.length === 0 && <p className="px-4 pt-3 text-ink-2 lg:px-5">{m.settings_mine_none()}</p>}
      {concerning.length > 0 && (
        <table className="w-full">
          <thead>
            <tr className="h-9 border-b border-line text-xs text-ink-2">
              <th scope="col" className="px-4 text-start font-medium lg:px-5">
                {m.settings_event()}
              </th>
              {noticeChannels.map((channel) => (
                <th key={channel} scope="col" className="w-16 px-0.5 text-center font-medium sm:w-24 sm:px-2">
                  {noticeChannelLabels[channel]()}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {concerning.map((event) => (
              <tr key={event} className="h-11 border-b border-line">
                <th scope="row" className="px-4 text-start font-medium text-ink-strong lg:px-5">
                  {eventLabels[event]()}
                </th>
                {noticeChannels.map((channel) => (
                  <td key={channel} className="text-center">
                    <span className="flex justify-center">
                      <Box
                        label={`${eventLabels[event]()}: ${noticeChannelLabels[channel]()}`}
                        checked={noticeChannelsFor(events, event).includes(channel)}
                        onChange={() => toggle(event, channel)}
                      />
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={concerning.length > 0 ? 'max-w-[340px] px-4 py-3 lg:px-5' : 'hidden'}>
        <Field label={m.settings_own_language()} hint={m.settings_own_language_hint()}>
          <Select
            value={language ?? ''}
            placeholder={m.settings_own_language_usual()}
            options={locales.map((value) => ({ value, label: localeNames[value] }))}
            onChange={(event) => {
              const { value } = event.target
              onChange({ ...settings, language: isLocale(value) ? value : null })
            }}
          />
        </Field>
      </div>
      {concerning.length > 0 && <PushBrowsers />}
    </>
  )
}
