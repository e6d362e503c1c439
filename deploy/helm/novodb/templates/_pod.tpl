{{/* What pods of servers and of workers have in common, beside their container's own. */}}
{{- define "novodb.pod" -}}
{{- $values := .root.Values -}}
{{- $own := .own -}}
# Kubernetes would set NOVODB_PORT and the like for a Service of the name novodb, which the portal refuses as settings.
enableServiceLinks: false
automountServiceAccountToken: false
# The first process of the pod takes in what programs of jobs leave behind.
shareProcessNamespace: true
# Over the drain and the half minute that what is under way may take to end.
terminationGracePeriodSeconds: {{ add $values.servers.drainSeconds 45 }}
securityContext:
  runAsNonRoot: true
  runAsUser: 999
  runAsGroup: 999
  fsGroup: 999
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile:
    type: RuntimeDefault
{{- with $values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $own.affinity }}
affinity:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "novodb.selector" . | nindent 8 }}
volumes:
  - name: data
    {{- if $values.data.perPod }}
    {{- if not (index $values.settings "NOVODB_S3_BUCKET") }}
    {{- fail "data.perPod needs settings.NOVODB_S3_BUCKET: otherwise each pod would have other data" }}
    {{- end }}
    emptyDir:
      sizeLimit: {{ $values.data.size }}
    {{- else }}
    persistentVolumeClaim:
      claimName: {{ include "novodb.claim" .root }}
    {{- end }}
  # On the node's disk, not in memory: loads keep there what they sort.
  - name: tmp
    emptyDir: {}
  - name: secrets
    secret:
      secretName: {{ $values.secret.name }}
      # 0440: for the portal's group, which the files of the pod belong to.
      defaultMode: 288
      items:
        {{- range $key := values $values.secret.keys | uniq | sortAlpha }}
        - key: {{ $key }}
          path: {{ $key }}
        {{- end }}
{{- end -}}

{{/* What containers of servers and of workers have in common. */}}
{{- define "novodb.container" -}}
{{- $values := .root.Values -}}
image: {{ printf "%s:%s" $values.image.repository ($values.image.tag | default .root.Chart.AppVersion) | quote }}
imagePullPolicy: {{ $values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities:
    drop: [ALL]
{{- with .own.resources }}
resources:
  {{- toYaml . | nindent 2 }}
{{- end }}
volumeMounts:
  - name: data
    mountPath: /data
  - name: tmp
    mountPath: /tmp
  - name: secrets
    mountPath: /run/secrets/novodb
    readOnly: true
env:
  {{- range $setting, $key := $values.secret.keys }}
  - name: {{ $setting }}_FILE
    value: /run/secrets/novodb/{{ $key }}
  {{- end }}
  {{- range $setting, $value := $values.settings }}
  - name: {{ $setting }}
    value: {{ $value | quote }}
  {{- end }}
{{- end -}}
