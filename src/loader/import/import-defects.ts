import type { DefectCatalogue } from '../../bio/text/defects.ts'

/** Of what `novodb import` is given. */
export const importDefects = {
  'import-missing': {
    severity: 'error',
    en: 'There is no such file or folder.',
    zh: '没有该文件或文件夹。',
  },
  'import-link-broken': {
    severity: 'warning',
    en: 'The link leads nowhere and was left out.',
    zh: '链接指向的文件不存在，已略去。',
  },
  'import-link-outside': {
    severity: 'warning',
    en: 'The link leads out of the folders that may be imported from the page, and was left out.',
    zh: '链接指向允许从页面导入的文件夹之外，已略去。',
  },
  'import-download-address': {
    severity: 'error',
    en: 'The address was not fetched: it leads to the server’s own network, or to something else than http or https.',
    zh: '未下载：该地址指向服务器所在的网络，或不是 http、https 地址。',
  },
  'import-download-failed': {
    severity: 'error',
    en: 'The download failed: {reason}',
    zh: '下载失败：{reason}',
  },
  'import-download-size': {
    severity: 'error',
    en: 'The download was stopped: it is larger than the {gigabytes} GB that may be imported or are free.',
    zh: '下载已停止：文件超过允许导入或磁盘剩余的 {gigabytes} GB。',
  },
  'import-download-checksum': {
    severity: 'error',
    en: 'The file that was fetched has another checksum than was given; it was not kept.',
    zh: '下载的文件与所给的校验值不符，未保留。',
  },
  'import-too-many-files': {
    severity: 'error',
    en: 'The folder contains more than {limit} files: give the folders of the data by themselves.',
    zh: '文件夹中的文件超过 {limit} 个：请分别给出存放数据的文件夹。',
  },
  'import-archive-kind': {
    severity: 'error',
    en: 'Archives of this kind are not unpacked here (only .zip, .tar and .tar.gz): unpack it and import the folder.',
    zh: '不支持解压此类压缩包（仅支持 .zip、.tar 和 .tar.gz）：请解压后导入文件夹。',
  },
  'import-archive-damaged': {
    severity: 'error',
    en: 'The archive cannot be read, so nothing of it was used: {reason}. Download it again.',
    zh: '无法读取压缩包，其内容均未使用：{reason}。请重新下载。',
  },
  'import-archive-path': {
    severity: 'error',
    en: 'The archive contains a file whose path leads out of it ({path}); nothing was unpacked from there on.',
    zh: '压缩包中有文件的路径指向包外（{path}），解压已停止。',
  },
  'import-archive-link': {
    severity: 'warning',
    en: 'The link {path} in the archive was not unpacked.',
    zh: '压缩包中的链接 {path} 未解压。',
  },
  'import-archive-special': {
    severity: 'warning',
    en: 'The entry {path} of the archive is neither a file nor a folder and was not unpacked.',
    zh: '压缩包中的条目 {path} 既不是文件也不是文件夹，未解压。',
  },
  'import-archive-twice': {
    severity: 'error',
    en: 'The archive contains the path {path} twice.',
    zh: '压缩包中的路径 {path} 重复。',
  },
  'import-archive-encrypted': {
    severity: 'error',
    en: 'The file {path} of the archive is encrypted.',
    zh: '压缩包中的文件 {path} 已加密。',
  },
  'import-archive-bomb': {
    severity: 'error',
    en: 'Unpacked, the archive is more than {ratio} times its size, as genome data never are; unpacking was stopped.',
    zh: '解压后的大小超过压缩包的 {ratio} 倍，基因组数据不会如此，解压已停止。',
  },
  'import-no-space': {
    severity: 'error',
    en: 'Unpacking needs {needed} GB and there are {free} GB free in {folder}. Name another place by --into.',
    zh: '解压需要 {needed} GB，而 {folder} 仅余 {free} GB。请用 --into 指定其他位置。',
  },
  'import-folder-taken': {
    severity: 'error',
    en: 'The folder contains other files already. Name an empty one by --into.',
    zh: '文件夹中已有其他文件。请用 --into 指定一个空文件夹。',
  },
  'import-folder-needed': {
    severity: 'error',
    en: 'What was given lies in several places: name the folder for species.yaml by --into.',
    zh: '所给的数据位于多处：请用 --into 指定存放 species.yaml 的文件夹。',
  },
  'import-folder-unwritable': {
    severity: 'error',
    en: 'The folder cannot be written to ({reason}). Name another place for species.yaml by --into.',
    zh: '无法写入该文件夹（{reason}）。请用 --into 指定存放 species.yaml 的其他位置。',
  },
  'import-no-genome': {
    severity: 'error',
    en: 'There is no genome sequence among the files, which every assembly needs: give its FASTA as well.',
    zh: '所给文件中没有基因组序列，请同时给出基因组的 FASTA 文件。',
  },
  'import-not-placed': {
    severity: 'warning',
    en: 'Which of the assemblies this file belongs to cannot be inferred ({assemblies}); it was left out. Add it to species.yaml.',
    zh: '无法推断该文件属于哪个基因组（{assemblies}），已略去。请在 species.yaml 中补充。',
  },
  'import-genes-unknown': {
    severity: 'warning',
    en: 'Of {total} of its genes ({names} …) {known} are in the gene models of an assembly here; it was left out.',
    zh: '抽查其中 {total} 个基因（{names} 等），仅 {known} 个见于此处某一组装版本的基因模型，已略去该文件。',
  },
  'import-names-differ': {
    severity: 'error',
    en: 'None of its sequences ({found}) is in the genome {genome} ({expected}).',
    zh: '其中的序列（{found}）均不在基因组 {genome} 中（{expected}）。',
  },
  'import-add-genome': {
    severity: 'error',
    en: 'The file is a genome, which is not added to a species in this way: import it with its gene models, or add the assembly to species.yaml.',
    zh: '该文件是基因组，不能以此方式添加：请连同基因模型一起导入，或在 species.yaml 中添加该组装版本。',
  },
  'import-add-several': {
    severity: 'error',
    en: 'The files belong to several species; name one of them by --to, and give the others in a command of their own.',
    zh: '所给文件属于多个物种：请用 --to 指定其一，其余文件另行导入。',
  },
  'import-add-nothing': {
    severity: 'error',
    en: 'None of the files fits the sequences or genes of what is loaded, so nothing was added.',
    zh: '所给文件与已加载数据的序列或基因均不相符，未添加任何内容。',
  },
  'import-add-unknown-species': {
    severity: 'error',
    en: 'No such species is loaded. Loaded are: {known}.',
    zh: '未加载该物种。已加载的有：{known}。',
  },
  'import-add-folder-gone': {
    severity: 'error',
    en: 'The folder that {species} was loaded from does not exist any more ({folder}, on {host}), and nothing can be added without it. Put it back, or import the species anew.',
    zh: '加载 {species} 所用的文件夹已不存在（{host} 上的 {folder}），无法继续添加。请恢复该文件夹，或重新导入该物种。',
  },
  'import-add-folder-unwritable': {
    severity: 'error',
    en: 'The manifest of {species} cannot be written ({reason}). Make the folder writable, or add the entries to a copy of it and load that.',
    zh: '无法写入 {species} 的清单（{reason}）。请开放该文件夹的写权限，或在其副本中添加条目后加载。',
  },
  'import-add-assembly-gone': {
    severity: 'error',
    en: '{assembly} is in service, but species.yaml no longer has it ({folder}). Put its entry back, or load the folder that has it.',
    zh: '{assembly} 在服务中，但 species.yaml（{folder}）中已没有它。请恢复其条目，或加载含有它的文件夹。',
  },
  'import-add-manifest-busy': {
    severity: 'error',
    en: 'species.yaml was changed by somebody else meanwhile, so nothing was written. Run the command again.',
    zh: 'species.yaml 刚被他人改动，尚未写入任何内容。请重新运行该命令。',
  },
  'import-add-other-host': {
    severity: 'error',
    en: 'This species.yaml is not the one that {species} was loaded from, on {host}. Run the command there, or load the folder of this host first.',
    zh: '此 species.yaml 与在 {host} 上加载 {species} 时所用的不同。请在该主机上运行命令，或先加载本机的文件夹。',
  },
  'import-add-manifest-changed': {
    severity: 'warning',
    en: 'species.yaml was changed since it was loaded; these changes are loaded as well.',
    zh: 'species.yaml 在加载后有过改动，这些改动将一并加载。',
  },
  'import-add-entry-unknown': {
    severity: 'error',
    en: 'There is no such entry in species.yaml. Entries are named as {example}.',
    zh: 'species.yaml 中没有该条目。条目写作 {example}。',
  },
  'import-tracks-elsewhere': {
    severity: 'warning',
    en: 'Left out, at addresses elsewhere: {count} of the {total} tracks listed here ({names}). Download their files and import them as well.',
    zh: '此处所列 {total} 条轨道中，{count} 条的文件位于其他网址（{names}），已略去。请下载这些文件后一并导入。',
  },
  'import-tracks-missing': {
    severity: 'warning',
    en: 'Left out, without a file: {count} of the {total} tracks listed here ({names}).',
    zh: '此处所列 {total} 条轨道中，{count} 条的文件不存在（{names}），已略去。',
  },
  'import-tracks-unread': {
    severity: 'warning',
    en: 'Left out, of kinds that are not loaded: {count} of the {total} tracks listed here ({names}).',
    zh: '此处所列 {total} 条轨道中，{count} 条的类型暂不支持加载（{names}），已略去。',
  },
  'import-report-unreadable': {
    severity: 'error',
    en: 'The report of the archive cannot be read: {reason}',
    zh: '无法读取下载包中的报告：{reason}',
  },
  'import-checksum': {
    severity: 'error',
    en: 'The file is not the one that {list} lists: its checksum differs. Download it again.',
    zh: '文件与 {list} 所列不符：校验值不同。请重新下载。',
  },
  'import-file-listed-missing': {
    severity: 'warning',
    en: '{list} lists {file}, which is not there.',
    zh: '{list} 所列的 {file} 不存在。',
  },
} as const satisfies DefectCatalogue
