import { useEffect, useState } from 'react'
import { currentBackend } from '../../backend/port.ts'
import type { DocumentSnapshot } from '../../backend/documents-port.ts'
import { useAuthStore } from '../../identity/auth-store.ts'

/** One notice for one person. Source: `LiveInboxMessage` of the contract's live paths. */
export interface InboxMessage {
  readonly path: string
  readonly orgId: string | null
  readonly title: string
  readonly body: string
  readonly link: string | null
  readonly createdAt: string
  readonly readAt: string | null
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null)

function messageOf({ path, data }: DocumentSnapshot): InboxMessage {
  return {
    path,
    orgId: textOf(data?.['orgId']),
    title: textOf(data?.['title']) ?? '',
    body: textOf(data?.['body']) ?? '',
    link: textOf(data?.['link']),
    createdAt: textOf(data?.['createdAt']) ?? '',
    readAt: textOf(data?.['readAt']),
  }
}

/** The person's notices of the active organization and of none, newest first, live. */
export function useInbox(): { messages: readonly InboxMessage[]; unread: readonly InboxMessage[] } {
  const userId = useAuthStore((state) => (state.isBackendSignedIn ? state.user?.id : undefined))
  const orgId = useAuthStore((state) => state.organization?.id)
  const [documents, setDocuments] = useState<readonly DocumentSnapshot[]>([])
  useEffect(() => {
    if (!userId) return
    return currentBackend().documents.listen(`users/${userId}/inbox`, {
      next: (snapshot) => setDocuments(snapshot.documents),
      error: (error) => console.warn('The notices cannot be followed.', error),
    })
  }, [userId])
  const messages = documents
    .map(messageOf)
    .filter((message) => message.orgId === null || message.orgId === orgId)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
  return { messages, unread: messages.filter(({ readAt }) => readAt === null) }
}

/** Marks notices as read, on all devices of the person. */
export async function markRead(messages: readonly InboxMessage[]): Promise<void> {
  if (messages.length === 0) return
  const readAt = new Date().toISOString()
  await currentBackend().documents.commit(messages.map(({ path }) => ({ kind: 'update', path, data: { readAt } })))
}
