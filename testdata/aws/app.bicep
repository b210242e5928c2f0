// A bucket on AWS, and one that is there already.
extension radius
extension aws

param application string
param bucketName string = 'shop-uploads'

resource bucket 'AWS.S3/Bucket@default' = {
  alias: 'uploads'
  properties: {
    BucketName: bucketName
    AccessControl: 'Private'
  }
}

resource logs 'AWS.Logs/LogGroup@default' existing = {
  alias: 'shop-logs'
  properties: {
    LogGroupName: 'shop'
  }
}

resource web 'Applications.Core/containers@2023-10-01-preview' = {
  name: 'aws-web'
  properties: {
    application: application
    container: {
      image: 'ghcr.io/example/web:1'
      env: {
        BUCKET: {
          value: bucket.properties.BucketName
        }
        RETENTION: {
          value: string(logs.properties.RetentionInDays)
        }
      }
    }
  }
}
