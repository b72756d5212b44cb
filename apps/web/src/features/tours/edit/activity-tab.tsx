import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { listAudit } from '@tour-ops/contract/audit/audit'
import { useState } from 'react'
import { refusalWords } from '../../../errors/refusal-words.ts'
import { callQuery } from '../../../backend/queries.ts'
import { m } from '../../../paraglide/messages.js'
import { Button } from '../../../ui/button.tsx'
import { ErrorPanel } from '../../../ui/error-panel.tsx'
import { formatDayTime } from '../../../ui/format.ts'
import { ViewerZoneNote } from '../../../ui/zone-note.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { difficultyWords, kindWords, tourStatusWords } from '../tour-words.ts'

const pageSize = 50

const actionWords: Record<string, () => string> = {
  'tours-create': m.tours_did_create,
  'tours-update': m.tours_did_update,
  'tours-save-draft': m.tours_did_draft,
  'tours-save-wizard': m.tours_did_wizard,
  'tours-save-options': m.tours_did_options,
  'tours-discard-draft': m.tours_did_discard,
  'tours-publish': m.tours_did_publish,
  'tours-archive': m.tours_did_archive,
  'tours-restore': m.tours_did_restore,
  'tours-duplicate': m.tours_did_duplicate,
}

const fieldWords: Record<string, () => string> = {
  name: m.tours_name,
  code: m.tours_code,
  kind: m.tours_kind,
  status: m.tours_status,
  color: m.tours_color,
  category: m.tours_category,
  difficulty: m.tours_difficulty,
  languages: m.tours_languages,
  inclusions: m.tours_inclusions,
  exclusions: m.tours_exclusions,
  min_pax: m.tours_min_pax,
  time_zone: m.tours_time_zone,
  guide_ratio: m.tours_guide_ratio,
  duration_min: m.tours_duration_min,
  duration_days: m.tours_duration_days,
  release_days: m.tours_release_days,
  vehicle_class: m.tours_vehicle_class,
  cutoff_minutes: m.tours_cutoff,
  overbook_limit: m.tours_overbook,
  required_roles: m.tours_roles,
  required_skills: m.tours_skills,
  default_capacity: m.tours_capacity,
  cancellation_policy: m.tours_cancellation_policy,
}

/** Values that have words of their own, by field. */
const valueWords: Record<string, Record<string, () => string>> = {
  kind: kindWords,
  status: tourStatusWords,
  difficulty: difficultyWords,
}

const valueText = (field: string, value: string | null): string =>
  value === null ? '–' : (valueWords[field]?.[value]?.() ?? value)

/** Who changed what of this tour, newest first. */
export function ActivityTab({ tourId }: { tourId: string }) {
  const [size, setSize] = useState(pageSize)
  const { data, error, refetch } = useQuery({
    ...callQuery(listAudit, { filters: { entityId: [tourId] }, size }),
    placeholderData: keepPreviousData,
  })
  if (error && !data) {
    return (
      <ErrorPanel message={refusalWords(error)} requestId={error.details.requestId} onRetry={() => void refetch()} />
    )
  }
  if (!data) return <SkeletonRows rows={8} />
  return (
    <>
      <p className="mb-2 text-xs text-ink-2 empty:hidden">
        <ViewerZoneNote />
      </p>
      <ol className="card">
        {data.rows.map((entry) => (
          <li key={entry.id} className="border-b border-line px-4 py-2.5 last:border-0">
            <p className="flex flex-wrap items-baseline gap-x-2">
              <b className="font-medium text-ink-strong">{entry.actorName ?? m.tours_somebody()}</b>
              <span>{actionWords[entry.action]?.() ?? entry.action}</span>
              <span className="num ms-auto text-ink-2">{formatDayTime(entry.at)}</span>
            </p>
            <ul className="text-xs break-words text-ink-2">
              {entry.changes
                // What a new tour begins with is no change, and other columns tell nobody anything.
                .filter(({ field, before }) => before !== null && field in fieldWords)
                .map(({ field, before, after }) => (
                  <li key={field}>
                    {m.tours_changed_field({
                      field: fieldWords[field]?.() ?? field,
                      before: valueText(field, before),
                      after: valueText(field, after),
                    })}
                  </li>
                ))}
            </ul>
          </li>
        ))}
        {data.total > data.rows.length && (
          <li className="p-2 text-center">
            <Button variant="ghost" onClick={() => setSize(size + pageSize)}>
              {m.tours_older()}
            </Button>
          </li>
        )}
      </ol>
    </>
  )
}
