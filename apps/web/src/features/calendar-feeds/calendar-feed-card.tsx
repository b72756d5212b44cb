import { useQuery } from '@tanstack/react-query'
import {
  type CalendarFeed,
  type FeedSubject,
  getCalendarFeed,
  issueCalendarFeed,
  revokeCalendarFeed,
} from '@tour-ops/contract/calendar-feeds/calendar-feeds'
import { useState } from 'react'
import { callQuery, useCall } from '../../backend/queries.ts'
import { refusalText } from '../../errors/refusal-text.ts'
import { m } from '../../paraglide/messages.js'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { formatDayTimeThere } from '../../ui/format.ts'
import { SecretAddressDialog } from '../../ui/secret-address-dialog.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.tsx'

interface Subject {
  readonly subject: FeedSubject
  readonly subjectId: string | null
}

/** The address at which calendar programs read the departures of a person or a vehicle. */
export const CalendarFeedCard = ({ of: subject }: { of: Subject }) => (
  <Card title={m.calendar_feeds_title()} padded>
    <Feed of={subject} />
  </Card>
)

/** The same for all departures of the organization, as a part of its settings. */
export const OrganizationCalendarFeed = () => (
  <div className="border-t border-line px-4 py-3 lg:px-5">
    <p className="mb-1 font-medium text-ink-strong">{m.calendar_feeds_title_organization()}</p>
    <Feed of={{ subject: 'organization', subjectId: null }} />
  </div>
)

function Feed({ of: subject }: { of: Subject }) {
  const { data } = useQuery(callQuery(getCalendarFeed, subject))
  if (!data) return <SkeletonRows rows={2} />
  return (
    <div className="grid gap-2">
      <p className="text-ink-2">{textOf[subject.subject]()}</p>
      {data.feed && <Present feed={data.feed} />}
      {data.mayIssue ? (
        <Actions of={subject} feed={data.feed} />
      ) : (
        !data.feed && <p className="text-ink-2">{m.calendar_feeds_none()}</p>
      )}
    </div>
  )
}

const textOf: Readonly<Record<FeedSubject, () => string>> = {
  organization: m.calendar_feeds_text_organization,
  staff: m.calendar_feeds_text_staff,
  vehicle: m.calendar_feeds_text_vehicle,
}

function Present({ feed: { hint: lastOfToken, issuedAt, issuedByName } }: { feed: CalendarFeed }) {
  const hint = `${lastOfToken}.ics`
  const time = formatDayTimeThere(issuedAt)
  return (
    <p className="text-ink-strong">
      {issuedByName
        ? m.calendar_feeds_present_by({ hint, time, name: issuedByName })
        : m.calendar_feeds_present({ hint, time })}
    </p>
  )
}

function Actions({ of: subject, feed }: { of: Subject; feed: CalendarFeed | null }) {
  const [asking, setAsking] = useState<'rotate' | 'revoke' | null>(null)
  const close = () => setAsking(null)
  const say = (error: unknown) => toast(refusalText(error))
  const issue = useCall(issueCalendarFeed, { onError: say, onSuccess: close })
  const revoke = useCall(revokeCalendarFeed, {
    onSuccess: () => {
      close()
      toast(m.calendar_feeds_revoked())
    },
  })
  return (
    <>
      <div className="flex flex-wrap gap-2">
        {feed ? (
          <>
            <Button onClick={() => setAsking('rotate')}>{m.calendar_feeds_rotate()}</Button>
            <Button onClick={() => setAsking('revoke')}>{m.calendar_feeds_revoke()}</Button>
          </>
        ) : (
          <Button pending={issue.isPending} onClick={() => issue.mutate(subject)}>
            {m.calendar_feeds_issue()}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={asking === 'rotate'}
        onClose={close}
        onConfirm={() => issue.mutate(subject)}
        title={m.calendar_feeds_rotate_title()}
        confirmLabel={m.calendar_feeds_rotate()}
        pending={issue.isPending}
      >
        {m.calendar_feeds_rotate_text()}
      </ConfirmDialog>
      {feed && (
        <ConfirmDialog
          open={asking === 'revoke'}
          danger
          onClose={close}
          onConfirm={() => revoke.mutate({ id: feed.id, version: feed.version })}
          title={m.calendar_feeds_revoke_title()}
          confirmLabel={m.calendar_feeds_revoke()}
          pending={revoke.isPending}
          error={revoke.error ? refusalText(revoke.error) : undefined}
        >
          {m.calendar_feeds_revoke_text()}
        </ConfirmDialog>
      )}
      {issue.data && (
        <SecretAddressDialog
          title={m.calendar_feeds_made()}
          text={m.calendar_feeds_made_text()}
          label={m.calendar_feeds_address()}
          copyLabel={m.calendar_feeds_copy()}
          copied={m.calendar_feeds_copied()}
          address={issue.data.url}
          onClose={issue.reset}
        />
      )}
    </>
  )
}
