import type { TestCaller, TestWorld } from './world.ts'

interface InboxNotice {
  readonly title: string
  readonly body: string
  readonly link: string
}

/** The notices in somebody's inbox, oldest first. */
export async function notices({ database }: TestWorld, { userId }: TestCaller): Promise<InboxNotice[]> {
  const { rows } = await database.ownerPool.query<InboxNotice>(
    `select data ->> 'title' as title, data ->> 'body' as body, data ->> 'link' as link from documents where path like $1 order by path`,
    [`users/${userId}/inbox/%`],
  )
  return rows
}

/** Their targets. */
export const noticeLinks = async (world: TestWorld, person: TestCaller): Promise<string[]> =>
  (await notices(world, person)).map(({ link }) => link)
