import { createTraveler } from '@tour-ops/contract/travelers/travelers'
import { incidentPeople } from '@tour-ops/contract/monitoring/incident-people'
import { reportIncident } from '@tour-ops/contract/monitoring/incidents'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verbsOf } from '../../../testing/verbs.ts'
import { testDatabase, type TestWorld } from '../../../testing/world.ts'
import { travelersVerbs } from '../travelers/verbs.ts'
import { monitoringVerbs } from './verbs.ts'

let world: TestWorld
beforeAll(async () => {
  world = await testDatabase()
})
afterAll(() => world.close())

const verbOf = verbsOf([...monitoringVerbs, ...travelersVerbs])

test('the report names who is affected with needs and emergency contact, and of a medical note only that there is one', async () => {
  const caller = await world.as('operations_manager')
  const contact = { name: 'Ada Haas', relation: 'Daughter', phone: '+447700900155' }
  const { id: haas } = await caller.call(verbOf(createTraveler), {
    firstName: 'Werner',
    lastName: 'Haas',
    dietary: ['vegan'],
    dietaryNote: 'no soy',
    mobility: 'cane',
    emergencyContact: contact,
    medicalNote: 'Heart condition',
  })
  const { id: adler } = await caller.call(verbOf(createTraveler), { firstName: 'Ina', lastName: 'Adler' })
  const { id } = await caller.call(verbOf(reportIncident), {
    category: 'medical',
    severity: 2,
    title: 'Guest unwell',
    affectedTravelerIds: [haas, adler],
  })
  const viewer = await world.as('viewer', { orgId: caller.orgId })
  const { people } = await viewer.call(verbOf(incidentPeople), { id })
  expect(people).toMatchObject([
    { name: 'Ina Adler', dietary: [], mobility: 'none', emergencyContact: null, hasMedicalNote: false },
    {
      name: 'Werner Haas',
      dietary: ['vegan'],
      dietaryNote: 'no soy',
      mobility: 'cane',
      emergencyContact: contact,
      hasMedicalNote: true,
    },
  ])
  expect(JSON.stringify(people)).not.toContain('Heart')
})

test('guides and other organizations get nobody', async () => {
  const caller = await world.as('dispatcher')
  const { id } = await caller.call(verbOf(reportIncident), { category: 'other', severity: 4, title: 'Delay' })
  expect(await caller.call(verbOf(incidentPeople), { id })).toEqual({ people: [] })
  const guide = await world.as('guide', { orgId: caller.orgId })
  await expect(guide.call(verbOf(incidentPeople), { id })).rejects.toMatchObject({ code: 'permission-denied' })
  const stranger = await world.as('dispatcher')
  await expect(stranger.call(verbOf(incidentPeople), { id })).rejects.toMatchObject({ code: 'not-found' })
})
