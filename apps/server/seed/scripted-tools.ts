import { createLink } from '@tour-ops/contract/links/links'
import { addIncidentTask, completeIncidentTask } from '@tour-ops/contract/monitoring/incident-tasks'
import { noteIncident, reportIncident, setIncidentStatus } from '@tour-ops/contract/monitoring/incidents'
import type { SeededDeparture } from './calendar.ts'
import type { Person } from './person.ts'
import { hourMs, minuteMs } from './spans.ts'

/** Whether people are on tour at this moment, by the plan. */
const isUnderWay = ({ startsAt, endsAt, status }: SeededDeparture, now: Date): boolean =>
  status !== 'cancelled' && Date.parse(startsAt) <= now.getTime() && Date.parse(endsAt) > now.getTime()

/**
 * Of the scripted day: an open medical incident on a tour that is under way, a guest link that is about to end, and one that
 * guests of the next departure have. See docs/domain.md, "Demo organization".
 */
export async function seedScriptedTools(
  manager: Person,
  departures: readonly SeededDeparture[],
  now: Date,
): Promise<void> {
  const underWay = departures.find((departure) => isUnderWay(departure, now))
  const next = departures.find(({ startsAt, status }) => status !== 'cancelled' && Date.parse(startsAt) > now.getTime())
  if (underWay) {
    await medicalIncident(manager, underWay, now)
    await manager.at(now).call(createLink, {
      kind: 'departure_guest',
      subjectId: underWay.id,
      label: `${underWay.tourName}, families at home`,
      scopes: { position: true },
      expiresAt: new Date(now.getTime() + 2 * hourMs).toISOString(),
    })
  }
  if (!next) return
  await manager.at(now).call(createLink, {
    kind: 'departure_guest',
    subjectId: next.id,
    label: `${next.tourName}, all guests`,
    scopes: { position: true },
  })
}

async function medicalIncident(manager: Person, departure: SeededDeparture, now: Date): Promise<void> {
  const minutesAgo = (minutes: number) => manager.at(new Date(now.getTime() - minutes * minuteMs))
  const { id, version } = await minutesAgo(31).call(reportIncident, {
    category: 'medical',
    severity: 2,
    title: 'Guest unwell',
    note: 'Guest fainted near the viewpoint. No fall.',
    departureId: departure.id,
  })
  const triaged = await minutesAgo(26).call(setIncidentStatus, { id, version, to: 'triaged', note: null })
  await minutesAgo(23).call(noteIncident, { id, kind: 'call', text: '112 called. Guest lies down, responds, is cold.' })
  const due = new Date(now.getTime() + 40 * minuteMs).toISOString()
  const call = await minutesAgo(24).call(addIncidentTask, { incidentId: id, text: 'Call the emergency number' })
  await minutesAgo(23).call(completeIncidentTask, call)
  await minutesAgo(22).call(addIncidentTask, { incidentId: id, text: 'Inform the emergency contact', dueAt: due })
  await minutesAgo(22).call(addIncidentTask, { incidentId: id, text: 'Arrange transport to the hospital' })
  await minutesAgo(20).call(setIncidentStatus, { ...triaged, to: 'active', note: 'The tour waits.' })
}
