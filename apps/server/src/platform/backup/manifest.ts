import type { WaitingJob } from '../jobs/waiting-jobs.ts'

/** What a backup says of itself, as its first line. */
export interface Manifest {
  readonly section: 'manifest'
  readonly format: 1
  /** Of the program that made it. */
  readonly version: string
  readonly createdAt: string
  readonly migrations: readonly { readonly name: string; readonly hash: string }[]
  readonly sequences: readonly Sequence[]
  /** Days of `positions` that have a partition, as `YYYY-MM-DD`. */
  readonly positionDays: readonly string[]
  /** Work that waited or was under way. */
  readonly jobs: readonly WaitingJob[]
  /** Secret and keys by the name of their file; those that the environment gives are not in the backup. */
  readonly keys: Readonly<Record<string, string>>
  /** Identifies the installation's secret. */
  readonly secretFingerprint: string
  /** Where contents of files are; those of a bucket are not in the backup. */
  readonly files: 'here' | 'bucket'
}

export interface Sequence {
  readonly name: string
  readonly last: string
}

/** Begins a table; its rows follow, each as PostgreSQL writes a row as text. */
export interface TableHead {
  readonly section: 'table'
  readonly name: string
  /** In the order of the row's text. */
  readonly columns: readonly string[]
}

/** Closes a table. */
export interface TableEnd {
  readonly section: 'table end'
  readonly name: string
  readonly rows: number
  /** Sum of the first 60 bits of each row's MD5: the same for the same rows in any order. */
  readonly sum: string
}

/** Begins a content of `files`; Base64 follows. */
export interface FileHead {
  readonly section: 'file'
  /** Below the folder of files, with forward slashes. */
  readonly name: string
  readonly size: number
}
