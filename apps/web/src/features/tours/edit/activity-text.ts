import { CancellationSteps } from '@tour-ops/contract/tours/cancellation-steps'
import { m } from '../../../paraglide/messages.js'
import { difficultyLabels, kindLabels, stepsText, tourStatusLabels } from '../tour-labels.ts'

const actionLabels: Record<string, () => string> = {
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

const fieldLabels: Record<string, () => string> = {
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
  cancellation_steps: m.tours_cancellation_steps,
}

/** Values that have words of their own, by field. */
const valueLabels: Record<string, Record<string, () => string>> = {
  kind: kindLabels,
  status: tourStatusLabels,
  difficulty: difficultyLabels,
}

function valueText(field: string, value: string | null): string {
  if (value === null) return '–'
  if (field === 'cancellation_steps') return stepsText(CancellationSteps.parse(JSON.parse(value))) || '–'
  return valueLabels[field]?.[value]?.() ?? value
}

interface Change {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
}

/** What somebody did, by the name of the callable. */
export const actionText = (action: string): string => actionLabels[action]?.() ?? action

/** What a new tour begins with is no change, and other columns are of no use to a reader. */
export const isNotified = ({ field, before }: Change): boolean => before !== null && field in fieldLabels

/** A changed field with its values, as labels where they have some. */
export const changedText = ({ field, before, after }: Change): string =>
  m.tours_changed_field({
    field: fieldLabels[field]?.() ?? field,
    before: valueText(field, before),
    after: valueText(field, after),
  })
