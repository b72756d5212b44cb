import { linkFile, type FileUseName } from '@tour-ops/contract/files'
import { addIncidentFile } from '@tour-ops/contract/monitoring/incident-files'
import { getIncident, reportIncident } from '@tour-ops/contract/monitoring/incidents'
import sharp from 'sharp'
import { monitoringVerbs } from '../src/features/monitoring/verbs.ts'
import { movableClock } from '../src/platform/clock.ts'
import { filesVerbs } from '../src/platform/files/files-verbs.ts'
import { uploadsTo } from './files-world.ts'
import { testServer } from './http-server.ts'
import { verbsOf } from './verbs.ts'
import { type TestCaller, testDatabase } from './world.ts'

export const incidentVerbOf = verbsOf([...monitoringVerbs, ...filesVerbs])

/** An office with a server that takes files, and what comes into the log of its incidents. */
export type IncidentFiles = Awaited<ReturnType<typeof openIncidentFiles>>

export async function openIncidentFiles() {
  const clock = movableClock(new Date())
  const world = await testDatabase()
  const server = await testServer({ services: { ...world.services, clock }, verbs: filesVerbs })
  const photo = await sharp({ create: { width: 400, height: 300, channels: 3, background: '#0B6E4F' } })
    .jpeg()
    .toBuffer()
  const table = Buffer.from('name;seat\nAna;4\n')

  async function openIncident(title = 'Guest unwell') {
    const caller = await world.as('dispatcher')
    const { id, version } = await caller.call(incidentVerbOf(reportIncident), {
      category: 'medical',
      severity: 2,
      title,
    })
    return { caller, incidentId: id, version }
  }

  /** A content that somebody has uploaded, which no incident has yet. */
  async function stored(
    who: TestCaller,
    name = 'car-park.jpg',
    content: Buffer = photo,
    use: FileUseName = 'incident_file',
  ) {
    const { id } = await who.transaction((tx) =>
      server.files.put(tx, who.orgId, { use, name, content, createdBy: who.userId }),
    )
    return id
  }

  async function added(who: TestCaller, incidentId: string, name?: string, content?: Buffer) {
    const fileId = await stored(who, name, content)
    const { id } = await who.call(incidentVerbOf(addIncidentFile), { incidentId, fileId })
    return { id, fileId }
  }

  /** An address of a file, as the server that has the contents makes it. */
  async function urlOf(who: TestCaller, id: string, size: string | null = null): Promise<string> {
    const { body } = await server.call(linkFile, { id, size }, { as: who.caller })
    return (body.result as { url: string }).url
  }

  const roomOf = (caller: TestCaller, id: string) => caller.call(incidentVerbOf(getIncident), { id })
  const lineOf = async (who: TestCaller, incidentId: string, id: string) =>
    (await roomOf(who, incidentId)).timeline.find((entry) => entry.id === id)

  return {
    world,
    server,
    clock,
    photo,
    table,
    openIncident,
    stored,
    added,
    urlOf,
    roomOf,
    lineOf,
    upload: uploadsTo(() => server).upload,
    async close() {
      await server.close()
      await world.close()
    },
  }
}
