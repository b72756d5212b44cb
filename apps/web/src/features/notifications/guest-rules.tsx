import { useQuery } from '@tanstack/react-query'
import {
  type GuestEvent,
  listGuestRules,
  changeNoticeMinutes,
  setGuestRule,
} from '@tour-ops/contract/notifications/guest-rules'
import { previewRuleText } from '@tour-ops/contract/notifications/guest-rule-texts'
import { isEverybody } from '@tour-ops/contract/notifications/rule-audience'
import { isUnconditional } from '@tour-ops/contract/notifications/rule-conditions'
import { useState } from 'react'
import { useScreenQuery } from '../../app/screen-query.ts'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { useAccess } from '../../identity/access.ts'
import { m } from '../../paraglide/messages.js'
import { Banner } from '../../ui/banner.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Switch } from '../../ui/choice.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Empty } from '../../ui/empty.tsx'
import { formatList, formatNumber } from '../../ui/format.ts'
import { currentLocale, localeNames, locales, type Locale } from '../../ui/locale.ts'
import { loadLater, onIntent } from '../../ui/load-later.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Segments } from '../../ui/tabs.tsx'
import { toast } from '../../ui/toast.tsx'
import { BackTest } from './back-test.tsx'
import { hasSetting, RuleSetting, settingLabels } from './guest-rule-setting.tsx'
import { LinkedText } from '../../records/linked-text.tsx'
import { kindLabel } from './outbox-labels.tsx'
import { RuleEscalation } from './rule-escalation.tsx'
import { audienceText, RuleAudienceCard } from './rule-audience.tsx'
import { withChange } from './shown-rule.ts'

const RuleTextDialog = loadLater(async () => (await import('./rule-text-dialog.tsx')).RuleTextDialog)

/** By what an organization has set. */
const whenLabels: Readonly<Record<GuestEvent, (setting: number) => string>> = {
  waitlist_offer: m.notifications_rules_at_once,
  booking_confirmed: m.notifications_rules_at_once,
  booking_changed: () => m.notifications_rules_after_change({ count: changeNoticeMinutes }),
  pre_tour_info: (hours) => m.notifications_rules_before_tour({ time: settingLabels.pre_tour_info(hours) }),
  pickup_reminder: (hour) => m.notifications_rules_day_before({ time: settingLabels.pickup_reminder(hour) }),
  last_reminder: (minutes) => m.notifications_rules_before_meeting({ time: settingLabels.last_reminder(minutes) }),
  delay_notice: (minutes) => m.notifications_rules_delay({ time: settingLabels.delay_notice(minutes) }),
  rebooking_offer: m.notifications_rules_at_once,
  booking_cancelled: m.notifications_rules_at_once,
  feedback_request: (hours) => m.notifications_rules_after_tour({ time: settingLabels.feedback_request(hours) }),
}

/** "What are guests told on their own?" Each rule with its switch, and next to it what they read. See docs/screens.md, "Notifications". */
export function GuestRules() {
  const { data } = useScreenQuery(callQuery(listGuestRules, {}))
  const [event, setEvent] = useState<GuestEvent>('booking_confirmed')
  const set = useCall(setGuestRule, {
    onSuccess: ({ isOn }, { setting, escalateTo }) => {
      if (setting !== undefined || escalateTo !== undefined) toast(m.notifications_rules_set())
      else toast(isOn ? m.notifications_rules_switched_on() : m.notifications_rules_switched_off())
    },
  })
  const changing = set.isPending ? set.variables : undefined
  const rules = data?.rules.map((rule) => withChange(rule, changing))
  const chosen = rules?.find((rule) => rule.event === event)
  const mayChange = useAccess().can('notifications:manage')
  return (
    <div className="grid content-start gap-4 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
      <Card
        title={m.notifications_rules_guests()}
        actions={<span className="text-ink-2">{m.notifications_rules_last()}</span>}
        className="self-start"
      >
        {set.error && (
          <Banner tone="bad" role="alert">
            {refusalText(set.error)}
          </Banner>
        )}
        {!data && <SkeletonRows rows={3} />}
        <ul>
          {rules?.map((rule) => (
            <li
              key={rule.event}
              className={classNames(
                'flex items-center gap-3 border-t border-line px-4',
                rule.event === event && 'bg-brand-tint shadow-[inset_3px_0_0_var(--brand)]',
              )}
            >
              <Switch
                hideLabel
                label={kindLabel(rule.event)}
                checked={rule.isOn}
                disabled={!mayChange}
                onChange={(change) => set.mutate({ event: rule.event, isOn: change.target.checked })}
              />
              <button
                type="button"
                className="min-h-14 min-w-0 flex-1 py-2 text-start"
                aria-pressed={rule.event === event}
                onClick={() => setEvent(rule.event)}
              >
                <b className="block font-medium text-ink-strong">{kindLabel(rule.event)}</b>
                <span className="block text-ink-2">{whenLabels[rule.event](rule.setting ?? 0)}</span>
                {!(isEverybody(rule.audience) && isUnconditional(rule.conditions)) && (
                  <span className="block text-ink-2">{audienceText(rule.audience, rule.conditions)}</span>
                )}
                {rule.ownLanguages.length > 0 && (
                  <span className="block text-ink-2">
                    {m.notifications_rules_own_badge({
                      languages: formatList(rule.ownLanguages.map((own) => localeNames[own])),
                    })}
                  </span>
                )}
                {!rule.isOn && <BackTest event={rule.event} sent={rule.sent7d} />}
              </button>
              <span className="num text-ink-strong">{formatNumber(rule.sent7d)}</span>
            </li>
          ))}
        </ul>
      </Card>
      <div className="grid content-start gap-4">
        {chosen?.setting != null && hasSetting(event) && (
          <RuleSetting
            key={event}
            event={event}
            value={chosen.setting}
            sent={chosen.sent7d}
            disabled={!mayChange}
            pending={set.isPending}
            onSave={(setting) => set.mutate({ event, setting })}
          />
        )}
        {chosen && (
          <RuleAudienceCard
            key={`who ${event}`}
            event={event}
            audience={chosen.audience}
            conditions={chosen.conditions}
            sent={chosen.sent7d}
            mayChange={mayChange}
          />
        )}
        {chosen && (
          <RuleEscalation
            value={chosen.escalateTo}
            disabled={!mayChange}
            onSave={(escalateTo) => set.mutate({ event, escalateTo })}
          />
        )}
        <Preview event={event} mayChange={mayChange} />
      </div>
    </div>
  )
}

function Preview({ event, mayChange }: { event: GuestEvent; mayChange: boolean }) {
  const [language, setLanguage] = useState<Locale>(currentLocale())
  const [isWriting, setWriting] = useState(false)
  const { data, error } = useQuery(callQuery(previewRuleText, { event, language }))
  const message = data?.message
  return (
    <Card
      title={m.notifications_rules_reads()}
      actions={
        <Segments
          label={m.notifications_rules_language()}
          value={language}
          onChange={setLanguage}
          items={locales.map((key) => ({ key, label: localeNames[key] }))}
        />
      }
      className="self-start"
    >
      {error && (
        <Banner tone="bad" role="alert">
          {refusalText(error)}
        </Banner>
      )}
      {!data && !error && <SkeletonRows rows={6} />}
      {message === null && (
        <Empty title={m.notifications_rules_nothing_booked()}>{m.notifications_rules_nothing_booked_text()}</Empty>
      )}
      {message && (
        <>
          <div lang={language} className="border-t border-line px-4 py-4 leading-6 text-ink-strong">
            <p className="pb-3 text-base font-semibold">{message.subject}</p>
            <p className="break-words whitespace-pre-line">
              <LinkedText text={message.body} />
            </p>
          </div>
          <p className="border-t border-line px-4 py-3 text-ink-2">
            {m.notifications_rules_data({ ref: message.bookingRef })}
          </p>
        </>
      )}
      {mayChange && (
        <p className="border-t border-line px-4 py-3">
          <Button {...onIntent(RuleTextDialog)} onClick={() => setWriting(true)}>
            {message?.isOwn ? m.notifications_rules_own_edit() : m.notifications_rules_own_write()}
          </Button>
        </p>
      )}
      {isWriting && <RuleTextDialog event={event} language={language} onClose={() => setWriting(false)} />}
    </Card>
  )
}
